import type { KeptFault } from '../../../store-requests/rules/kept-faults.js';

/** Of the fields whose messages are not kept: what their codes say. */
const WORDS: Record<string, string> = {
  required: 'is required',
  wrong_type: 'has another type than it must have',
  invalid_text: 'holds a character that cannot be kept',
  too_long: 'is too long',
  invalid_email: 'is no e-mail address',
  invalid_pincode: 'is no PIN code of that country',
};

export function faultWords({ code, message }: KeptFault): string {
  return message ?? WORDS[code] ?? code.replaceAll('_', ' ');
}
