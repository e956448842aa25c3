import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * The slowest suites, for machines without recorded times: they start processes, wait for mail servers or
 * hash passwords.
 */
const SLOW = [
  'operation/mail',
  'operation/workers',
  'operation/start',
  'operation/embedded-database',
  'operation/kept-plans',
  'operation/health',
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
  'docs/printed-commands',
  'money/sandbox',
  'operation/least-rights',
].map((name) => `${sep}test${sep}${name.replace('/', sep)}.e2e.ts`);

const isSlow = ({ path }) => SLOW.some((end) => path.endsWith(end));

/**
 * Starts the slow suites first, so that none runs alone at the end. Jest remembers times only after a first
 * run.
 */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}
