import type { OpenedLink } from '../../../auth/links/link-use.js';
import { describeRole } from '../../../auth/people/roles.js';
import { Button } from '../../../pages/components/button.js';
import { Field, Form } from '../../../pages/components/form.js';
import { Refused } from '../../../pages/components/notice.js';
import type { Faults } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { CHOOSE, LINK, RESET, SIGN_IN } from '../paths.js';
import { NewPasswordFields } from '../security/password-page.js';
import type { Refusal } from '../sign-in/sign-in-page.js';

/** Every mailed link leads here. A script sends the code at once; without scripts the person pastes it. */
export function linkPage(refusal?: { status: number; message: string }): Page {
  return {
    title: 'Open your link',
    lead: 'Paste the whole link from your e-mail, or only the code after the #.',
    status: refusal?.status ?? 200,
    content: (
      <>
        {refusal && <Refused>{refusal.message}</Refused>}
        <Form action={LINK}>
          <Field label="Code" name="code" autocomplete="off" maxlength={500} fromFragment required />
          <Button kind="primary">Continue</Button>
        </Form>
        {refusal && (
          <p class="small">
            Ask the person who invited you for another invitation. If you have signed in before,{' '}
            <a href={RESET}>ask for a new password</a>.
          </p>
        )}
      </>
    ),
  };
}

/** Shows the typed name again after a fault, but never a password. */
export function choosePage(link: OpenedLink, typed?: { name: string; faults: Faults }): Page {
  const { kind, email, clientName, role } = link;
  const isNew = kind === 'invitation';
  return {
    title: isNew ? `Welcome to ${clientName}` : 'Choose a new password',
    lead: isNew
      ? `You are invited as ${describeRole(role)}. You will sign in as ${email}.`
      : `For ${email} at ${clientName}. You will be signed out on all devices.`,
    status: typed ? 422 : 200,
    content: (
      <Form action={CHOOSE}>
        {/* Password managers store the password under this name. */}
        <input type="hidden" name="username" autocomplete="username" value={email} />
        {isNew && (
          <Field
            label="Your name"
            name="name"
            value={typed?.name ?? link.name}
            autocomplete="name"
            maxlength={200}
            fault={typed?.faults.name}
            autofocus
            required
          />
        )}
        <NewPasswordFields faults={typed?.faults} />
        <Button kind="primary">{isNew ? 'Save and sign in' : 'Save password'}</Button>
      </Form>
    ),
  };
}

export function resetPage(asked: { email?: string; refusal?: Refusal } = {}): Page {
  const { email = '', refusal } = asked;
  return {
    title: 'Forgot your password?',
    lead: 'We will send you a link to choose a new one. It works for one hour.',
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

/** Shown when the service sends no mail. */
export function noResetPage(): Page {
  return {
    title: 'Forgot your password?',
    back: { href: SIGN_IN, text: 'Sign in' },
    content: (
      <p>
        Ask an owner of your store to make you a link for a new password, under “People”. If you are the only
        owner, ask the wholesaler.
      </p>
    ),
  };
}
