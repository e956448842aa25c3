import type { SessionShown } from '../../../auth/sessions/own-sessions.js';
import type { TwoFactorState } from '../../../auth/two-factor/two-factor.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Card } from '../../../pages/components/layout.js';
import { Form } from '../../../pages/components/form.js';
import { StateLabel, When } from '../../../pages/components/values.js';
import { type Column, Table } from '../../../pages/components/table.js';
import type { Page } from '../../../pages/page.js';
import { describeBrowser } from './describe-browser.js';
import { PASSWORD, SESSIONS, TWO_FACTOR } from '../paths.js';

interface Shown {
  email: string;
  sessions: SessionShown[];
  twoFactor: TwoFactorState;
}

export function securityPage({ email, sessions, twoFactor }: Shown): Page {
  return {
    title: 'Security',
    lead: `How you sign in as ${email}, and where you are signed in.`,
    content: (
      <>
        <div class="columns">
          <Card title="Password">
            <p>Your password protects your orders and your money. Do not use it for any other service.</p>
            <div class="actions">
              <ButtonLink href={PASSWORD}>Change password</ButtonLink>
            </div>
          </Card>
          <SecondStep state={twoFactor} />
        </div>
        <Sessions sessions={sessions} />
      </>
    ),
  };
}

const SecondStep = ({ state: { enabledAt, codesLeft } }: { state: TwoFactorState }) =>
  enabledAt === null ? (
    <Card title="Second step">
      <p>Sign in with a code from your phone as well. Then a stolen password is not enough.</p>
      <div class="actions">
        <ButtonLink href={TWO_FACTOR} kind="primary">
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
        <ButtonLink href={TWO_FACTOR}>Change the second step</ButtonLink>
      </div>
    </Card>
  );

const Sessions = ({ sessions }: { sessions: SessionShown[] }) => (
  <Card
    title="Where you are signed in"
    id="sessions"
    actions={
      sessions.length > 1 && (
        <Form action={`${SESSIONS}/end-others`} bare>
          <Button kind="danger">Sign out everywhere else</Button>
        </Form>
      )
    }
    flush
  >
    <Table caption="Where you are signed in" columns={COLUMNS} rows={sessions} />
  </Card>
);

const COLUMNS: Column<SessionShown>[] = [
  {
    heading: 'Browser',
    as: 'title',
    cell: ({ userAgent, address }) => (
      <>
        {describeBrowser(userAgent)}
        <small>{address}</small>
      </>
    ),
  },
  { heading: 'Signed in', cell: ({ createdAt }) => <When at={createdAt} /> },
  { heading: 'Last used', cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
  {
    heading: '',
    as: 'state',
    align: 'end',
    cell: ({ id, isThis, userAgent }) =>
      isThis ? (
        <StateLabel kind="info">This browser</StateLabel>
      ) : (
        <Form action={`${SESSIONS}/${id}/end`} bare>
          <Button>
            Sign out<span class="unseen"> {describeBrowser(userAgent)}</span>
          </Button>
        </Form>
      ),
  },
];
