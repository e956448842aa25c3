import { Button } from '../../../pages/components/button.js';
import { Field, Form } from '../../../pages/components/form.js';
import { Refused } from '../../../pages/components/notice.js';
import type { Page } from '../../../pages/page.js';
import type { Refusal } from '../sign-in/sign-in-page.js';
import { SIGN_IN } from '../sign-in/paths.js';
import { RESET } from './paths.js';

export function resetPage(asked: { email?: string; refusal?: Refusal } = {}): Page {
  const { email = '', refusal } = asked;
  return {
    title: 'Forgot your password?',
    lead: 'We send you a link by which you choose another one. It is good for an hour.',
    back: { href: SIGN_IN, text: 'Sign in' },
    status: refusal?.status ?? 200,
    content: (
      <>
        {refusal && <Refused>{refusal.message}</Refused>}
        <Form action={RESET}>
          <Field
            label="E-mail address"
            name="email"
            type="email"
            value={email}
            autocomplete="username"
            maxlength={254}
            autofocus
            required
          />
          <Button kind="primary">Send the link</Button>
        </Form>
      </>
    ),
  };
}

/** Where no mail is sent. */
export function noResetPage(): Page {
  return {
    title: 'Forgot your password?',
    back: { href: SIGN_IN, text: 'Sign in' },
    content: (
      <p>
        An owner of your store can make you a link by which you choose another one, under “People” in the
        dashboard. If you are the only owner, ask the wholesaler.
      </p>
    ),
  };
}
