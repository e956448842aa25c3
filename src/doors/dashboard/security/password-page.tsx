import { Button } from '../../../pages/components/button.js';
import { Field, Form } from '../../../pages/components/form.js';
import { Card } from '../../../pages/components/layout.js';
import { type Faults, textIn } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { PASSWORD, SECURITY } from '../paths.js';

export function passwordPage(faults?: Faults): Page {
  return {
    title: 'Change your password',
    lead: 'You will be signed out everywhere else.',
    back: { href: SECURITY, text: 'Security' },
    status: faults ? 422 : 200,
    content: (
      <Card>
        <Form action={PASSWORD}>
          <Field
            label="Current password"
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

export const NewPasswordFields = ({ faults }: { faults: Faults | undefined }) => (
  <>
    <Field
      label="New password"
      name="password"
      type="password"
      autocomplete="new-password"
      hint="At least 12 characters. Four unrelated words are strong, and easy to remember."
      fault={faults?.password}
      required
    />
    <Field
      label="Repeat the new password"
      name="again"
      type="password"
      autocomplete="new-password"
      fault={faults?.again}
      required
    />
  </>
);

export interface PasswordForm {
  current: string;
  password: string;
  again: string;
}

export function readPasswordForm(fields: FormFields): PasswordForm {
  const [current, password, again] = ['current', 'password', 'again'].map((name) => textIn(fields, name));
  return { current: current!, password: password!, again: again! };
}

/** The typed text is hidden, and a typing error would lock the person out. */
export function requireSame({ password, again }: Pick<PasswordForm, 'password' | 'again'>): void {
  if (password !== again)
    throw validationFailed([
      { field: 'again', code: 'different', message: 'does not match the new password' },
    ]);
}
