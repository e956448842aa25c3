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
    lead: 'Enter the six digits from the app on your phone, or one of your recovery codes.',
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

/** The message above the form that is shown again. Other errors are rethrown. */
export function refusalOf(error: unknown, request: ApiRequest): Refusal {
  if (!(error instanceof DomainError) || !['sign_in_refused', 'rate_limited'].includes(error.code))
    throw error;
  const { code, message, retryAfterSeconds } = error;
  request.failure = error;
  if (retryAfterSeconds !== undefined) request.res!.setHeader('Retry-After', retryAfterSeconds);
  return { status: statusOf(code), message };
}
