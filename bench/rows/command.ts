import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { milliseconds, type Row } from '../finding.js';
import { median } from '../load/compare.js';

const CLI = fileURLToPath(new URL('../../../dist/src/cli.js', import.meta.url));
const ROUNDS = 5;
const RUNS = 4;
const MAX_RATIO = 3;

const run = promisify(execFile);

async function makeKey(DATABASE_URL: string): Promise<string> {
  const { stdout } = await run(process.execPath, [CLI, 'key', 'add', '--name', 'Bench', '--role', 'admin'], {
    env: { PATH: process.env.PATH, DATABASE_URL },
  });
  return /^whk_\S+$/m.exec(stdout)![0];
}

/** The shell counts in hundredths of a second, so the processor time of one run is that of several. */
async function processorMs(args: string, env: NodeJS.ProcessEnv): Promise<number> {
  const line = `"${process.execPath}" ${args} >/dev/null || exit;`;
  const { stdout } = await run('sh', ['-c', `${line.repeat(RUNS)} times`], { env });
  const times = [...stdout.split('\n')[1]!.matchAll(/(\d+)m([\d.]+)s/g)];
  const seconds = times.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
  return (seconds * 1_000) / RUNS;
}

export const command: Row = {
  id: 'command',
  async measure(bench) {
    const database = await bench.database(10_000);
    const WHOLESALE_KEY = await makeKey(database.url);
    const { url } = await bench.service(database);
    const env = { PATH: process.env.PATH, WHOLESALE_URL: url, WHOLESALE_KEY };
    const [ours, nodes]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await processorMs(`"${CLI}" order list`, env));
      nodes.push(await processorMs('-e 0', env));
    }
    const ratio = median(ours.map((own, at) => own / nodes[at]!));
    return [
      {
        work: 'the command "order list", processor time',
        measured: milliseconds(median(ours)),
        against: `node -e 0: ${milliseconds(median(nodes))}`,
        ratio,
        aim: `≤ ${MAX_RATIO}`,
        reached: ratio <= MAX_RATIO,
      },
    ];
  },
};
