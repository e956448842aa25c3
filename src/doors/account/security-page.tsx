import type { SessionShown } from '../../auth/sessions/sessions.service.js';
import type { TwoFactorState } from '../../people/two-factor/two-factor.service.js';
import { Button, ButtonLink, Form } from '../../pages/components/controls.js';
import { Card } from '../../pages/components/layout.js';
import { type Column, ListCard, times, titles } from '../../pages/components/lists.js';
import { StateLabel, When } from '../../pages/components/values.js';
import type { Page } from '../../pages/page.js';
import { describeBrowser } from './describe-browser.js';
import type { AccountPaths } from './account-paths.js';

interface Shown {
  email: string;
  sessions: SessionShown[];
  twoFactor: TwoFactorState;
}

export function securityPage(paths: AccountPaths, { email, sessions, twoFactor }: Shown): Page {
  return {
    title: 'Security',
    lead: `How you sign in as ${email}, and where you are signed in.`,
    content: (
      <>
        <div class="columns">
          <Card title="Password">
            <p>Your password protects your orders and your money. Do not use it for any other service.</p>
            <div class="actions">
              <ButtonLink href={paths.password}>Change password</ButtonLink>
            </div>
          </Card>
          <SecondStep paths={paths} state={twoFactor} />
        </div>
        <Sessions paths={paths} sessions={sessions} />
      </>
    ),
  };
}

interface InDoor {
  paths: AccountPaths;
}

const SecondStep = ({ paths, state: { enabledAt, codesLeft } }: InDoor & { state: TwoFactorState }) =>
  enabledAt === null ? (
    <Card title="Second step">
      <p>Sign in with a code from your phone as well. Then a stolen password is not enough.</p>
      <div class="actions">
        <ButtonLink href={paths.twoFactor} kind="primary">
          Set up a second step
        </ButtonLink>
      </div>
    </Card>
  ) : (
    <Card title="Second step" actions={<StateLabel kind="accent">On</StateLabel>}>
      <p>
        On since <When at={enabledAt} />.{' '}
        {codesLeft === 1 ? 'One recovery code is' : `${codesLeft} recovery codes are`} left.
      </p>
      <div class="actions">
        <ButtonLink href={paths.twoFactor}>Change the second step</ButtonLink>
      </div>
    </Card>
  );

const Sessions = ({ paths, sessions }: InDoor & { sessions: SessionShown[] }) => (
  <ListCard
    title="Where you are signed in"
    actions={
      sessions.length > 1 && (
        <Form action={`${paths.sessions}/end-others`} bare>
          <Button kind="danger">Sign out everywhere else</Button>
        </Form>
      )
    }
    columns={columnsIn(paths)}
    rows={sessions}
  />
);

const columnsIn = (paths: AccountPaths): Column<SessionShown>[] => [
  titles('Browser', ({ userAgent, address }) => ({ text: describeBrowser(userAgent), detail: address })),
  times('Signed in', ({ createdAt }) => createdAt),
  times('Last used', ({ lastSeenAt }) => lastSeenAt),
  {
    heading: '',
    as: 'state',
    align: 'end',
    cell: ({ id, isThis, userAgent }) =>
      isThis ? (
        <StateLabel kind="info">This browser</StateLabel>
      ) : (
        <Form action={`${paths.sessions}/${id}/end`} bare>
          <Button>
            Sign out<span class="unseen"> {describeBrowser(userAgent)}</span>
          </Button>
        </Form>
      ),
  },
];
