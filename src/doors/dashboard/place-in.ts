import { textIn } from '../../pages/forms.js';
import type { FormFields } from '../../platform/http/parse-form.js';

const NUMBER = /^\d{1,15}$/;

/** Where a list goes on, by the number of what it had last. What is none begins at the beginning. */
export function placeIn(query: FormFields, name: string): number | undefined {
  const text = textIn(query, name);
  return NUMBER.test(text) ? Number(text) : undefined;
}
