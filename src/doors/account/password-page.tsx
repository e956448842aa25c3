import { Button, FormCard, PasswordField } from '../../pages/components/controls.js';
import type { Page } from '../../pages/page.js';
import { validationFailed } from '../../platform/errors/domain-error.js';
import type { AccountPaths } from './account-paths.js';

export function passwordPage(paths: AccountPaths): Page {
  return {
    title: 'Change your password',
    lead: 'You will be signed out everywhere else.',
    back: { href: paths.security, text: 'Security' },
    content: (
      <FormCard action={paths.password}>
        <PasswordField label="Current password" name="current" />
        <NewPasswordFields />
        <Button kind="primary">Change password</Button>
      </FormCard>
    ),
  };
}

export const NewPasswordFields = () => (
  <>
    <PasswordField
      label="New password"
      name="password"
      hint="At least 12 characters. Four unrelated words are strong, and easy to remember."
      isNew
    />
    <PasswordField label="Repeat the new password" name="again" isNew />
  </>
);

/** The typed text is hidden, and a typing error would lock the person out. */
export function requireSame({ password, again }: { password: string; again: string }): void {
  if (password !== again)
    throw validationFailed([
      { field: 'again', code: 'different', message: 'does not match the new password' },
    ]);
}
