import type { OpenedLink } from '../../../auth/links/link-use.js';
import { describeRole } from '../../../auth/people/roles.js';
import { Button } from '../../../pages/components/button.js';
import { Field, Form } from '../../../pages/components/form.js';
import type { Faults } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { NewPasswordFields } from '../security/new-password-fields.js';
import { CHOOSE } from './paths.js';

/** What an opened link is for. What was typed stands there again after a slip, but for passwords. */
export function choosePage(link: OpenedLink, typed?: { name: string; faults: Faults }): Page {
  const { kind, email, clientName, role } = link;
  const isNew = kind === 'invitation';
  return {
    title: isNew ? `Welcome to ${clientName}` : 'Choose a new password',
    lead: isNew
      ? `You are invited as ${describeRole(role)}. You will sign in as ${email}.`
      : `For ${email} at ${clientName}. Wherever you are signed in now, you will be signed out.`,
    status: typed ? 422 : 200,
    content: (
      <Form action={CHOOSE}>
        {/* So that whoever keeps passwords for people knows whose this one is. */}
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
        <Button kind="primary">{isNew ? 'Choose and sign in' : 'Choose this password'}</Button>
      </Form>
    ),
  };
}
