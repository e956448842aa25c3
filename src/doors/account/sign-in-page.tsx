import {
  Button,
  ButtonLink,
  EmailField,
  Field,
  Form,
  PasswordField,
} from '../../pages/components/controls.js';
import type { Page } from '../../pages/page.js';
import type { AccountPaths } from './account-paths.js';

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
    lead: 'This page came over plain http, so others could read your password. You cannot sign in here.',
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
