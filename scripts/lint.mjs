/**
 * All checks of `npm run lint`: the cheapest first, and the types beside them, because they take as long as the
 * others together. Ends at the first fault.
 */
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';

const CHECKS = [
  'node scripts/check-columns.mjs',
  'node scripts/check-names.mjs',
  'oxlint --deny-warnings',
  'node scripts/check-tables.mjs',
  'node scripts/check-regexps.mjs',
  'tsc -p tsconfig.browser.json',
  'depcruise src --cache node_modules/.cache/depcruise --cache-strategy content',
  'prettier --check . --cache',
];
const TYPES = 'tsc --noEmit --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo';

function start(command) {
  const [program, ...args] = command.split(' ');
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  const result = Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  return { child, result };
}

async function show(command, result) {
  const [output, errors, status] = await result;
  process.stdout.write(output);
  process.stderr.write(errors);
  if (status === 0) return;
  process.stderr.write(`${command}: ${status instanceof Error ? status.message : `exit status ${status}`}\n`);
  types.child.kill();
  process.exit(1);
}

const types = start(TYPES);
for (const command of CHECKS) await show(command, start(command).result);
await show(TYPES, types.result);
