import type { FormFields } from '../platform/http/parse-form.js';

/** What was typed into a field. One that was not sent is empty, as is one that came twice: no form of ours has it so. */
export function textIn(fields: FormFields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}
