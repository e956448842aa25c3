import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Field, Form } from '../../../pages/components/form.js';
import { Refused } from '../../../pages/components/notice.js';
import type { Page } from '../../../pages/page.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { statusOf } from '../../../platform/errors/error-codes.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { CODE, RESET, SIGN_IN } from '../paths.js';

export interface Refusal {
  status: number;
  message: string;
}

interface Asked {
  next: string;
  email?: string;
  refusal?: Refusal;
}

export function signInPage({ next, email = '', refusal }: Asked): Page {
  return {
    title: 'Sign in',
    status: refusal?.status ?? 200,
    content: (
      <>
        {refusal && <Refused>{refusal.message}</Refused>}
        <Form action={SIGN_IN} hidden={{ next }}>
          <Field
            label="E-mail address"
            name="email"
            type="email"
            value={email}
            autocomplete="username"
            maxlength={254}
            autofocus={email === ''}
            required
          />
          <Field
            label="Password"
            name="password"
            type="password"
            autocomplete="current-password"
            autofocus={email !== ''}
            required
          />
          <Button kind="primary">Sign in</Button>
        </Form>
        <p class="small">
          <a href={RESET}>Forgot your password?</a>
        </p>
      </>
    ),
  };
}

export function codePage({ next, refusal }: Asked): Page {
  return {
    title: 'Enter your code',
    lead: 'The app on your phone shows six digits. If you do not have it with you, enter one of the recovery codes that you wrote down.',
    status: refusal?.status ?? 200,
    content: (
      <>
        {refusal && <Refused>{refusal.message}</Refused>}
        <Form action={CODE} hidden={{ next }}>
          <Field label="Code" name="code" autocomplete="one-time-code" maxlength={40} autofocus required />
          <Button kind="primary">Sign in</Button>
        </Form>
      </>
    ),
  };
}

/** Replaces the form on an insecure connection, where the password could be read. */
export function insecurePage(publicUrl: string): Page {
  const isSecure = publicUrl.startsWith('https:');
  return {
    title: 'Signing in needs a secure connection',
    lead: 'This page came to you over plain http: whoever is in between could read your password. Nobody can sign in here.',
    status: 403,
    content: (
      <>
        {isSecure && (
          <ButtonLink href={publicUrl + SIGN_IN} kind="primary">
            Sign in over a secure connection
          </ButtonLink>
        )}
        <p class="small">
          For whoever runs the service: let a proxy speak TLS with browsers, set <code>PUBLIC_URL</code> to
          the address that begins with <code>https://</code>, and <code>TRUST_PROXY</code> to that proxy,
          which says in <code>X-Forwarded-Proto</code> how the browser came. On the machine itself{' '}
          <code>http://localhost</code> will do.
        </p>
      </>
    ),
  };
}

/** The message above the form that is shown again. Other errors are rethrown. */
export function refusalOf(error: unknown, request: ApiRequest): Refusal {
  if (!(error instanceof DomainError) || !['sign_in_refused', 'rate_limited'].includes(error.code))
    throw error;
  const { code, message, retryAfterSeconds } = error;
  request.failure = error;
  if (retryAfterSeconds !== undefined) request.res!.setHeader('Retry-After', retryAfterSeconds);
  return { status: statusOf(code), message };
}
