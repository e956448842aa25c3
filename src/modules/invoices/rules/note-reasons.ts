import { DomainError } from '../../../platform/errors/domain-error.js';

/** Why a note changes an invoice, with the codes that GSTR-1 and the tools of accountants use. */
export const NOTE_REASONS = {
  '01': 'Sales return',
  '02': 'Post-sale discount',
  '03': 'Deficiency in services',
  '04': 'Correction in invoice',
  '05': 'Change in place of supply',
  '06': 'Finalisation of provisional assessment',
  '07': 'Others',
} as const;

export type NoteReason = keyof typeof NOTE_REASONS;

/** The usual codes by the kind of a refund. Other refunds have the code of other reasons. */
const USUAL_REASONS: Partial<Record<string, NoteReason>> = { returned: '01', lines: '01', amount: '02' };

/** The usual code of goods that were lost: they are no sales return. */
export const LOSS: NoteReason = '07';

/** The code that a person chose for a refund, or the usual one. */
export function noteReasonOf({ kind, reasonCode }: { kind: string; reasonCode?: NoteReason | null }) {
  return reasonCode ?? USUAL_REASONS[kind] ?? '07';
}

export function readNoteReason(text: string): NoteReason {
  if (Object.hasOwn(NOTE_REASONS, text)) return text as NoteReason;
  const codes = Object.entries(NOTE_REASONS).map(([code, meaning]) => `${code} (${meaning})`);
  throw new DomainError('invalid_value', `The code of the reason is one of ${codes.join(', ')}.`);
}
