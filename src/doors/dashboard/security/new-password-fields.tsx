import { Field } from '../../../pages/components/form.js';
import type { Faults } from '../../../pages/forms.js';

/** Wherever somebody chooses a password. */
export const NewPasswordFields = ({ faults }: { faults: Faults | undefined }) => (
  <>
    <Field
      label="New password"
      name="password"
      type="password"
      autocomplete="new-password"
      hint="At least 12 characters. Four words that nobody would expect together are good, and easy to keep in mind."
      fault={faults?.password}
      required
    />
    <Field
      label="New password, once more"
      name="again"
      type="password"
      autocomplete="new-password"
      fault={faults?.again}
      required
    />
  </>
);
