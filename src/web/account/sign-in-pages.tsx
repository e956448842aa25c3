import type { OpenedLink } from '../../modules/auth/sign-in/link-use.service.js';
import {
  Button,
  ButtonLink,
  EmailField,
  Field,
  Form,
  PasswordField,
} from '../../shared/ui/components/controls.js';
import { Notice } from '../../shared/ui/components/layout.js';
import type { Page } from '../../shared/ui/page.js';
import { FIRST_ADMIN_FILE } from '../../modules/people/people-administration.service.js';
import { describeRole } from '../../modules/people/roles.js';
import type { AccountPaths } from './account-paths.js';
import { NewPasswordFields } from './security-pages.js';

/** `email` is known after a refusal. Then the password comes next. */
export function signInPage(paths: AccountPaths, next: string, email = ''): Page {
  return {
    title: 'Sign in',
    content: (
      <>
        <Form action={paths.signIn} hidden={{ next }}>
          <EmailField autocomplete="username" autofocus={email === ''} />
          <PasswordField label="Password" name="password" autofocus={email !== ''} />
          <Button kind="primary">Sign in</Button>
        </Form>
        <p class="small">
          <a href={paths.reset}>Forgot your password?</a>
        </p>
      </>
    ),
  };
}

/** For an installation without an admin. The link itself is a secret. */
export const withFirstAdminHint = (page: Page): Page => ({
  ...page,
  content: (
    <>
      <Notice kind="info">
        This desk has no admin yet. A link makes the first one. The service shows it in its terminal at the
        start, or writes it to the file <code>{FIRST_ADMIN_FILE}</code> in its folder <code>DATA_DIR</code>.
        It works for 7 days, and each start makes a new one.
      </Notice>
      {page.content}
    </>
  ),
});

export function codePage(paths: AccountPaths, next: string): Page {
  return {
    title: 'Enter your code',
    lead: 'Enter the six digits from the app on your phone, or one of your recovery codes.',
    content: (
      <Form action={paths.code} hidden={{ next }}>
        <Field
          label="Code"
          name="code"
          autocomplete="one-time-code"
          maxlength={40}
          isSecret
          autofocus
          required
        />
        <Button kind="primary">Sign in</Button>
      </Form>
    ),
  };
}

/** Replaces the form on an insecure connection, where the password could be read. */
export function insecurePage(paths: AccountPaths, publicUrl: string): Page {
  const isSecure = publicUrl.startsWith('https:');
  return {
    title: 'Signing in needs a secure connection',
    lead: 'This page came over plain HTTP, so others could read your password. You cannot sign in here.',
    status: 403,
    content: (
      <>
        {isSecure && (
          <ButtonLink href={publicUrl + paths.signIn} kind="primary">
            Sign in over a secure connection
          </ButtonLink>
        )}
        <p class="small">
          For the operator: put a TLS proxy in front of the service. Set <code>PUBLIC_URL</code> to the
          address that begins with <code>https://</code>, and <code>TRUST_PROXY</code> to the proxy. The proxy
          must send <code>X-Forwarded-Proto</code>. On the machine itself <code>http://localhost</code> works.
        </p>
      </>
    ),
  };
}

/** Every mailed link leads here. A script sends the code at once; without scripts the person pastes it. */
export function linkPage(paths: AccountPaths, { isRefused = false } = {}): Page {
  return {
    title: 'Open your link',
    lead: 'Paste the whole link from your e-mail, or only the code after the #.',
    content: (
      <>
        <Form action={paths.link}>
          <Field label="Code" name="code" maxlength={500} isSecret fromFragment required />
          <Button kind="primary">Continue</Button>
        </Form>
        {isRefused && (
          <p class="small">
            Ask the person who invited you for another invitation. If you have signed in before,{' '}
            <a href={paths.reset}>ask for a new password</a>.
          </p>
        )}
      </>
    ),
  };
}

export function choosePage(paths: AccountPaths, link: OpenedLink): Page {
  const { kind, email, name, clientName, role, isFirstAdmin } = link;
  const isNew = kind === 'invitation';
  return {
    title: isNew ? `Welcome to ${clientName}` : 'Choose a new password',
    lead: isFirstAdmin
      ? 'You become the first admin of this desk. You will sign in with this address and password.'
      : isNew
        ? `You are invited as ${describeRole(role)}. You will sign in as ${email}.`
        : `For ${email} at ${clientName}. You will be signed out on all devices.`,
    content: (
      <Form action={paths.choose}>
        {isFirstAdmin ? (
          <EmailField autocomplete="username" />
        ) : (
          // Password managers store the password under this name.
          <input type="hidden" name="username" autocomplete="username" value={email} />
        )}
        {isNew && (
          <Field
            label="Your name"
            name="name"
            value={name}
            autocomplete="name"
            maxlength={200}
            autofocus
            required
          />
        )}
        <NewPasswordFields />
        <Button kind="primary">{isNew ? 'Save and sign in' : 'Save password'}</Button>
      </Form>
    ),
  };
}

export function resetPage(paths: AccountPaths): Page {
  return {
    title: 'Forgot your password?',
    lead: 'We will send you a link to choose a new one. It works for one hour.',
    back: { href: paths.signIn, text: 'Sign in' },
    content: (
      <Form action={paths.reset}>
        <EmailField autocomplete="username" autofocus />
        <Button kind="primary">Send the link</Button>
      </Form>
    ),
  };
}

/** Shown when the service sends no mail. */
export function noResetPage(paths: AccountPaths): Page {
  return {
    title: 'Forgot your password?',
    back: { href: paths.signIn, text: 'Sign in' },
    content: (
      <p>
        Ask a person who manages the people of your account to make you a link for a new password, under
        “People”. If there is none, ask the wholesaler.
      </p>
    ),
  };
}
