import type { FieldError } from '../errors/domain-error.js';
import { spellingOf } from './similar-names.js';

/** Names by which other APIs ask for a trial of a write. To ignore one would do what was only to be tried. */
const TRIALS = new Set(
  'dryrun validateonly validate preview simulate simulation test testmode istest sandbox'.split(' '),
);

const OFF: readonly unknown[] = [false, null, 0, '', '0', 'false', 'no'];

/** The fields of a body, or the parameters of its address, that ask for a trial. */
export function trialFaults(sent: object): FieldError[] {
  return Object.entries(sent)
    .filter(([name, value]) => TRIALS.has(spellingOf(name.slice(0, 20))) && !OFF.includes(value))
    .map(([field]) => ({
      field,
      code: 'unknown_parameter',
      message:
        'is unknown, and nothing was done; POST /api/orders/quote shows what an order would cost, and a ' +
        'test token places test orders',
    }));
}
