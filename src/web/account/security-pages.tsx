import { encode } from 'uqr';
import type { SessionView } from '../../modules/auth/sessions/sessions.service.js';
import {
  Button,
  ButtonLink,
  CopyBlock,
  CopyField,
  Field,
  Form,
  FormCard,
  PasswordField,
} from '../../shared/ui/components/controls.js';
import { Card } from '../../shared/ui/components/layout.js';
import { type ListColumn, ListCard, timeColumn, titleColumn } from '../../shared/ui/components/lists.js';
import { StateLabel, RelativeTime } from '../../shared/ui/components/values.js';
import type { Page } from '../../shared/ui/page.js';
import type { TotpSetUp, TwoFactorState } from '../../modules/people/two-factor/two-factor.service.js';
import { validationFailed } from '../../platform/errors/domain-error.js';
import type { AccountPaths } from './account-paths.js';
import { describeBrowser } from './describe-browser.js';

interface SecurityPageProps {
  email: string;
  sessions: SessionView[];
  twoFactor: TwoFactorState;
}

export function securityPage(paths: AccountPaths, { email, sessions, twoFactor }: SecurityPageProps): Page {
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
      </>
    ),
  };
}

const SecondStep = ({
  paths,
  state: { enabledAt, codesLeft },
}: {
  paths: AccountPaths;
  state: TwoFactorState;
}) =>
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
        On since <RelativeTime at={enabledAt} />.{' '}
        {codesLeft === 1 ? 'One recovery code is' : `${codesLeft} recovery codes are`} left.
      </p>
      <div class="actions">
        <ButtonLink href={paths.twoFactor}>Change the second step</ButtonLink>
      </div>
    </Card>
  );

const columnsIn = (paths: AccountPaths): ListColumn<SessionView>[] => [
  titleColumn('Browser', ({ userAgent, address }) => ({ text: describeBrowser(userAgent), detail: address })),
  timeColumn('Signed in', ({ createdAt }) => createdAt),
  timeColumn('Last used', ({ lastSeenAt }) => lastSeenAt),
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

const backTo = ({ security }: AccountPaths) => ({ href: security, text: 'Security' });

export function twoFactorPage(paths: AccountPaths, { enabledAt, codesLeft }: TwoFactorState): Page {
  return enabledAt === null ? beginPage(paths) : changePage(paths, enabledAt, codesLeft);
}

function beginPage(paths: AccountPaths): Page {
  return {
    title: 'Set up a second step',
    lead:
      'You sign in with your password and a code from an app, such as Google Authenticator or Aegis. ' +
      'Turning this on signs you out everywhere else.',
    back: backTo(paths),
    content: (
      <FormCard action={paths.twoFactor}>
        <OwnPasswordField />
        <Button kind="primary">Start</Button>
      </FormCard>
    ),
  };
}

function changePage(paths: AccountPaths, enabledAt: Date, codesLeft: number): Page {
  return {
    title: 'Your second step is on',
    lead: (
      <>
        On since <RelativeTime at={enabledAt} />.{' '}
        {codesLeft === 1 ? 'One of your recovery codes is' : `${codesLeft} of your recovery codes are`} left.
      </>
    ),
    back: backTo(paths),
    content: (
      <FormCard action={`${paths.twoFactor}/codes`}>
        <OwnPasswordField />
        <div class="actions">
          <Button>Make new recovery codes</Button>
          <Button kind="danger" action={`${paths.twoFactor}/off`}>
            Turn the second step off
          </Button>
        </div>
      </FormCard>
    ),
  };
}

/** Shows the secret once. After a wrong code it asks again without the secret. */
export function confirmPage(paths: AccountPaths, setUp?: TotpSetUp): Page {
  return {
    title: 'Enter the first code',
    lead: setUp
      ? 'Scan this picture with the app on your phone, and enter the code that it shows.'
      : 'Enter the code that the app shows now.',
    back: backTo(paths),
    content: (
      <Card>
        {setUp && (
          <>
            <QrCode text={setUp.uri} label="QR code for the app" />
            <CopyField label="Or enter this key in the app" id="totp-secret" text={inGroups(setUp.secret)} />
          </>
        )}
        <Form action={`${paths.twoFactor}/confirm`}>
          <Field
            label="Code"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength={10}
            isSecret
            required
          />
          <Button kind="primary">Turn the second step on</Button>
        </Form>
        {!setUp && (
          <p class="small">
            If no code works, <a href={paths.twoFactor}>start again</a> with a new picture.
          </p>
        )}
      </Card>
    ),
  };
}

export function recoveryCodesPage(paths: AccountPaths, codes: readonly string[]): Page {
  return {
    title: 'Write down your recovery codes',
    lead: 'Each code signs you in once without your phone. Keep them in a safe place: we show them only now.',
    back: backTo(paths),
    content: (
      <Card>
        <CopyBlock id="recovery-codes" label="Recovery codes" text={codes.join('\n')} />
        <div class="actions">
          <ButtonLink href={paths.security} kind="primary">
            I have written them down
          </ButtonLink>
        </div>
      </Card>
    ),
  };
}

const OwnPasswordField = () => (
  <PasswordField label="Your password" name="password" hint="We ask so that only you can change this." />
);

const inGroups = (secret: string) => secret.replace(/.{4}(?=.)/g, '$& ');

/** Always dark on light, because cameras need it. */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { size, data } = encode(text, { ecc: 'M', border: 3 });
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} width="220" height="220" role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={data.map(rowPath).join('')} fill="#000" />
    </svg>
  );
};

/** Draws each dark square as a line of width one. */
function rowPath(row: boolean[], y: number): string {
  return row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('');
}

export function passwordPage(paths: AccountPaths): Page {
  return {
    title: 'Change your password',
    lead: 'You will be signed out everywhere else.',
    back: { href: paths.security, text: 'Security' },
    content: (
      <FormCard action={paths.password}>
        <PasswordField label="Current password" name="current" />
        <NewPasswordFields />
        <Button kind="primary">Change password</Button>
      </FormCard>
    ),
  };
}

export const NewPasswordFields = () => (
  <>
    <PasswordField
      label="New password"
      name="password"
      hint="At least 12 characters. Four unrelated words are strong, and easy to remember."
      isNew
    />
    <PasswordField label="Repeat the new password" name="again" isNew />
  </>
);

/** The typed text is hidden, and a typing error would lock the person out. */
export function requireSame({ password, again }: { password: string; again: string }): void {
  if (password !== again)
    throw validationFailed([
      { field: 'again', code: 'different', message: 'does not match the new password' },
    ]);
}
