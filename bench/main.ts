import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { inspect, parseArgs } from 'node:util';
import { Bench } from './bench.js';
import { type Finding, type Row, table } from './finding.js';
import { ROWS } from './rows/index.js';

const REPORT = new URL('../../docs/bench.md', import.meta.url);
/** A run rewrites the report above this line and keeps the notes below it. */
const MARK = '<!-- Written by hand from here on. -->';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function describeMachine({ postgres }: Bench): Promise<string> {
  const [row] = await postgres.query<{ server_version: string }>('SHOW server_version');
  const system = `${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`;
  return [
    `- Machine: ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${system}`,
    `- Node ${process.version}, PostgreSQL ${row!.server_version} with its default settings ` +
      '(everything synced to disk)',
    '- The server under test has one core, the generator of load another; PostgreSQL uses both.',
  ].join('\n');
}

/** A failed row fails the run at its end, because the other rows take too long to be lost. */
async function measureRow(bench: Bench, row: Row): Promise<Finding[]> {
  const beganAt = performance.now();
  try {
    const findings = await row.measure(bench);
    print(`${row.id} (${Math.round((performance.now() - beganAt) / 1_000)} s)`);
    for (const { measured, against, ratio } of findings)
      print(`  ${measured} | ${against} | ${ratio?.toFixed(2) ?? ''}`);
    return findings;
  } catch (error) {
    process.stderr.write(`${row.id} failed: ${inspect(error)}\n`);
    process.exitCode = 1;
    return [];
  } finally {
    await bench.stopServers();
  }
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    against: { type: 'string' },
    postgres: { type: 'string' },
  },
});
const only = values.only.flatMap((ids) => ids.split(','));
const rows = only.length === 0 ? ROWS : ROWS.filter(({ id }) => only.includes(id));
if (rows.length < only.length)
  throw new Error(`Unknown row in "${only.join()}". Rows: ${ROWS.map(({ id }) => id).join(', ')}`);
const bench = await Bench.open({ ...values, only });
try {
  const machine = await describeMachine(bench);
  print(machine);
  const findings: Finding[] = [];
  for (const row of rows) findings.push(...(await measureRow(bench, row)));
  const result = table(findings);
  print(`\n${result}`);
  if (!values.quick && only.length === 0 && process.exitCode !== 1) {
    const notes = (await readFile(REPORT, 'utf8')).split(MARK)[1]!;
    const date = new Date().toISOString().slice(0, 10);
    await writeFile(
      REPORT,
      `# Bench\n\n\`npm run bench\` on ${date}:\n\n${machine}\n\n${result}\n\n${MARK}${notes}`,
    );
  }
} finally {
  await bench.close();
}
