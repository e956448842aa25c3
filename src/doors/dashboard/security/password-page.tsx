import { Button } from '../../../pages/components/button.js';
import { Card } from '../../../pages/components/layout.js';
import { Field, Form } from '../../../pages/components/form.js';
import type { Faults } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { NewPasswordFields } from './new-password-fields.js';
import { PASSWORD, SECURITY } from './paths.js';

export function passwordPage(faults?: Faults): Page {
  return {
    title: 'Change your password',
    lead: 'Wherever else you are signed in, you will be signed out.',
    back: { href: SECURITY, text: 'Security' },
    status: faults ? 422 : 200,
    content: (
      <Card>
        <Form action={PASSWORD}>
          <Field
            label="Password until now"
            name="current"
            type="password"
            autocomplete="current-password"
            fault={faults?.current}
            required
          />
          <NewPasswordFields faults={faults} />
          <Button kind="primary">Change password</Button>
        </Form>
      </Card>
    ),
  };
}
