import { inspect } from 'node:util';
import { Bench } from './bench.js';
import type { Finding } from './finding.js';
import { describeMachine } from './machine.js';
import { type Options, readOptions } from './options.js';
import type { Row } from './row.js';
import { ROWS } from './rows/index.js';
import { table } from './table.js';
import { writeReport } from './write-report.js';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measure(bench: Bench, { only }: Options): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const row of ROWS.filter(({ id }) => only.length === 0 || only.includes(id))) {
    const beganAt = performance.now();
    const found = await measureRow(bench, row);
    findings.push(...found);
    print(`${row.id} (${Math.round((performance.now() - beganAt) / 1_000)} s)`);
    for (const { measured, against, ratio } of found)
      print(`  ${measured} | ${against} | ${ratio?.toFixed(2) ?? ''}`);
  }
  return findings;
}

/** A failed row fails the run at its end, because the other rows take too long to be lost. */
async function measureRow(bench: Bench, row: Row): Promise<Finding[]> {
  try {
    return await row.measure(bench);
  } catch (error) {
    process.stderr.write(`${row.id} failed: ${inspect(error)}\n`);
    process.exitCode = 1;
    return [];
  } finally {
    await bench.stopServers();
  }
}

const options = readOptions(process.argv.slice(2));
const unknown = options.only.filter((id) => !ROWS.some((row) => row.id === id));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no row "${unknown.join('", "')}". Rows: ${ROWS.map(({ id }) => id).join(', ')}\n`,
  );
  process.exit(2);
}
const bench = await Bench.open(options);
try {
  const machine = await describeMachine(bench);
  machine.forEach(print);
  const result = table(await measure(bench, options));
  print(`\n${result}`);
  if (!options.quick && options.only.length === 0 && process.exitCode !== 1)
    await writeReport(machine, result);
} finally {
  await bench.close();
}
