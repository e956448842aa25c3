import { dayAt } from '../../../../platform/time/time.js';
import { type Acceptance, readAcceptance } from '../../../orders/rules/return-request.js';
import { requireOpen } from './open-return.js';
import type { ReturnAction } from './return-action.js';

/** A repetition changes address and day. */
export const accept: ReturnAction<Record<keyof Acceptance, string>> = {
  name: 'accept',
  sentence: 'Tells the client where to send the goods, and until when.',
  role: 'packer',
  change: (input) => ({
    decide: (facts, zone) => {
      const accepts = readAcceptance(input, dayAt(Date.now(), zone));
      requireOpen(facts);
      const details = { send_to: accepts.sendTo, send_by: accepts.sendBy };
      return { accepts, audit: { action: 'return.accepted', details } };
    },
  }),
};
