import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoLoad } from '../../src/demo/demo-load.service.js';
import { startCommandServer } from '../support/command-server.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { type PrintedBlock, printedBlocks } from '../support/printed-blocks.js';
import { type Run, runProgram } from '../support/run-node.js';
import { ServiceProcess } from '../support/service-process.js';
import { setUpTestApp } from '../support/test-app.js';

const SERVICE = 'http://localhost:3000';
const ORDER = 'WO-20261120-7K3M9-QXA2B';

/** Defines `npm run cli --` without npm, which would look for a package in the folder. */
const npm = (cli: string) => `npm() { [ "$1 $2 $3" = "run cli --" ] || return 64; shift 3; ${cli} "$@"; }\n`;

/** Pastes lines into a shell, which stops at the first failed command. */
const paste = (folder: string, lines: string, env: Record<string, string> = {}): Promise<Run> =>
  runProgram('bash', ['-euo', 'pipefail', '-c', lines], env, folder);

describe('The printed commands', () => {
  let folder: string;

  beforeEach(async () => void (folder = await makeOpenDirectory('printed-')));
  afterEach(async () => {
    await ServiceProcess.killAll();
    await rm(folder, { recursive: true, force: true });
  });

  describe('of the README', () => {
    const test = setUpTestApp();

    it('place a first order in six steps', async () => {
      await mkdir(join(folder, '.data'));
      await test.app
        .get(DemoLoad)
        .load((credentials) =>
          writeFile(join(folder, '.data/demo-credentials.json'), JSON.stringify(credentials)),
        );
      await test.fixtures.observed();
      const [steps] = printedBlocks('README.md', '## A first order in six steps');
      const script = steps!.text.replaceAll(SERVICE, test.url);
      const { exitCode, stdout, stderr } = await paste(folder, script);
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^http\S+\/dashboard\nowner@demo-store\.example\.com\n\S{16}\n/m);
      const answers = stdout
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(answers).toMatchObject([
        { success: true, data: { domain: expect.any(String) } },
        { data: { length: 3 } },
        { sku: 'TSHIRT-CLASSIC', has_variations: true },
        { status: 'awaiting_payment', items_count: 2 },
        { status: 'awaiting_payment', store_order_id: 'WEB-1001' },
      ]);
    });
  });

  it('of docs/wholesaler.md lead from an empty database to a delivered order', async () => {
    const day = printedBlocks('docs/wholesaler.md', '## A day in the life of the wholesaler');
    const shell = day.filter(({ language }) => language === 'sh').map(({ text }) => text);
    const files = day.filter(({ language }) => language === 'csv');
    const empty = shell.findIndex((text) => text.includes('cli -- migrate'));
    const curl = shell.findIndex((text) => text.startsWith('curl '));
    const dataDir = /export DATA_DIR=(\S+)/.exec(shell[empty]!)![1]!;

    const commands = npm(await startCommandServer(folder));
    // One terminal: the exported variables apply to all commands.
    const env: Record<string, string> = { DATA_DIR: dataDir };
    const output: string[] = [];
    const pasteAll = async (blocks: string[], known: [string, string][] = []) => {
      const replace = (text: string) =>
        known.reduce((done, [printed, real]) => done.replaceAll(printed, real), text);
      await writeAll(folder, files, replace);
      for (const block of blocks) {
        const { exitCode, stdout, stderr } = await paste(folder, commands + replace(block), env);
        expect([block, exitCode, stderr]).toEqual([block, 0, '']);
        output.push(stdout);
      }
    };

    await pasteAll([shell[empty]!]);
    const service = ServiceProcess.spawn({ DATA_DIR: dataDir }, folder);
    const url = await service.listening();
    await pasteAll(shell.slice(empty + 1, curl));
    env.TOKEN = /wha_\w+/.exec(output.join(''))![0];
    await pasteAll([shell[curl]!], [[SERVICE, url]]);
    const { order_number: order } = JSON.parse(output.at(-1)!) as { order_number: string };
    await pasteAll(shell.slice(curl + 1), [[ORDER, order]]);

    expect(shell.join('').match(/^npm run cli -- /gm)).toHaveLength(14);
    expect(await readFile(join(folder, 'packing.csv'), 'utf8')).toContain(order);
    const headers = { Authorization: `Bearer ${env.TOKEN}`, 'X-Client-Domain': 'anaya.example.com' };
    const status = await fetch(`${url}/api/orders/WEB-1001/status`, { headers });
    expect(await status.json()).toMatchObject({
      order_number: order,
      status: 'delivered',
      payment_status: 'paid',
      tracking: { courier: 'Delhivery', tracking_number: 'DL123456' },
    });
    const products = await fetch(`${url}/api/products`, { headers });
    expect(await products.json()).toMatchObject({
      data: [
        { sku: 'MUG', stock_qty: 198 },
        { sku: 'BOWL', pricing: { wholesale_price: 259 } },
      ],
    });
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

async function writeAll(folder: string, files: PrintedBlock[], replace: (text: string) => string) {
  for (const { file, text } of files) await writeFile(join(folder, file!), replace(text));
}
