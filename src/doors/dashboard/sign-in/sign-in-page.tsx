import {
  Button,
  ButtonLink,
  EmailField,
  Field,
  Form,
  PasswordField,
} from '../../../pages/components/controls.js';
import type { Page } from '../../../pages/page.js';
import { CODE, RESET, SIGN_IN } from '../paths.js';

/** `email` is known after a refusal. Then the password comes next. */
export function signInPage(next: string, email = ''): Page {
  return {
    title: 'Sign in',
    content: (
      <>
        <Form action={SIGN_IN} hidden={{ next }}>
          <EmailField autocomplete="username" autofocus={email === ''} />
          <PasswordField label="Password" name="password" autofocus={email !== ''} />
          <Button kind="primary">Sign in</Button>
        </Form>
        <p class="small">
          <a href={RESET}>Forgot your password?</a>
        </p>
      </>
    ),
  };
}

export function codePage(next: string): Page {
  return {
    title: 'Enter your code',
    lead: 'Enter the six digits from the app on your phone, or one of your recovery codes.',
    content: (
      <Form action={CODE} hidden={{ next }}>
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
export function insecurePage(publicUrl: string): Page {
  const isSecure = publicUrl.startsWith('https:');
  return {
    title: 'Signing in needs a secure connection',
    lead: 'This page came over plain http, so others could read your password. You cannot sign in here.',
    status: 403,
    content: (
      <>
        {isSecure && (
          <ButtonLink href={publicUrl + SIGN_IN} kind="primary">
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
