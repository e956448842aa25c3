import { roleName, whatRoleDoes, CLIENT_ROLES } from '../../../auth/people/roles.js';
import { Choices } from '../../../pages/components/form.js';

const OPTIONS = CLIENT_ROLES.map((role) => ({ value: role, text: roleName(role), hint: whatRoleDoes(role) }));

export const RoleChoices = ({ value, fault }: { value: string; fault?: string | undefined }) => (
  <Choices label="What they may do" name="role" options={OPTIONS} value={value} fault={fault} required />
);
