/**
 * All checks of `npm run lint`, one after another, and the types beside them, because they take as long as the others
 * together. One run tells all faults.
 */
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';

const CHECKS = [
  'node scripts/check-columns.mjs',
  'node scripts/check-names.mjs',
  'oxlint --deny-warnings',
  'node scripts/check-tables.mjs',
  'node scripts/check-aggregates.mjs',
  'node scripts/check-regexps.mjs',
  'tsc -p tsconfig.browser.json',
  'depcruise src --cache node_modules/.cache/depcruise --cache-strategy content',
  'prettier --check . --cache',
];
const TYPES = 'tsc --noEmit --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo';

async function run(command) {
  const [program, ...args] = command.split(' ');
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  const [output, errors, status] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  process.stdout.write(output);
  process.stderr.write(errors);
  if (status === 0) return;
  process.stderr.write(`${command}: ${status instanceof Error ? status.message : `exit status ${status}`}\n`);
  process.exitCode = 1;
}

const types = run(TYPES);
for (const command of CHECKS) await run(command);
await types;
