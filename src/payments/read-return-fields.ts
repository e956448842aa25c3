import type { FormFields } from '../platform/http/parse-form.js';

/** What a browser brought, as far as each thing came once: what came twice says nothing. */
export function readReturnFields(fields: FormFields): Record<string, string> {
  const single = Object.entries(fields).filter(
    (entry): entry is [string, string] => !Array.isArray(entry[1]),
  );
  return Object.fromEntries(single);
}
