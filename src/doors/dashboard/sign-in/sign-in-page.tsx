import { Button } from '../../../pages/components/button.js';
import { Field, Form } from '../../../pages/components/form.js';
import { Refused } from '../../../pages/components/notice.js';
import type { Page } from '../../../pages/page.js';
import { RESET } from '../links/paths.js';
import { CODE, SIGN_IN } from './paths.js';

/** Why the last attempt did not work. */
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
