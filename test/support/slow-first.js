import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** What takes longest, for where Jest has not seen it yet: processes that are started, mail and gateways that do not answer, passwords. */
const SLOW = [
  'operation/mail',
  'operation/workers',
  'operation/start',
  'operation/embedded-database',
  'dashboard/invitations',
  'dashboard/guessing',
  'dashboard/two-factor',
  'dashboard/many-orders',
  'dashboard/security',
  'cli/which-database',
  'cli/demo',
  'cli/installed',
  'cli/find-clients',
  'docs/generated-client',
  'money/sandbox',
  'operation/least-rights',
].map((name) => `${sep}test${sep}${name.replace('/', sep)}.e2e.ts`);

const isSlow = ({ path }) => SLOW.some((end) => path.endsWith(end));

/** The slow suites first, so that none of them is left alone at the end; Jest itself remembers from one run to the next alone. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}
