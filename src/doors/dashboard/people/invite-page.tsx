import { Button } from '../../../pages/components/button.js';
import { Card } from '../../../pages/components/layout.js';
import { Field, Form } from '../../../pages/components/form.js';
import type { Faults } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { INVITE, PEOPLE } from './paths.js';
import { RoleChoices } from './role-choices.js';

export interface InviteForm {
  email: string;
  role: string;
}

/** Whoever invites sees and gives no more than is needed, unless they choose to. */
const NOTHING_TYPED: InviteForm = { email: '', role: 'viewer' };

export function invitePage(typed = NOTHING_TYPED, faults?: Faults): Page {
  return {
    title: 'Invite somebody',
    lead: 'They get a link, good for 7 days, by which they choose a password of their own.',
    back: { href: PEOPLE, text: 'People' },
    status: faults ? 422 : 200,
    content: (
      <Card>
        <Form action={INVITE}>
          <Field
            label="E-mail address"
            name="email"
            type="email"
            value={typed.email}
            autocomplete="off"
            maxlength={254}
            fault={faults?.email}
            required
          />
          <RoleChoices value={typed.role} fault={faults?.role} />
          <div class="actions">
            <Button kind="primary">Invite</Button>
          </div>
        </Form>
      </Card>
    ),
  };
}
