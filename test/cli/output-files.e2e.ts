import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/eventually.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpDirectory } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

const TO_FULL = ['--failed', '/dev/full'];

describe('the files of the commands', () => {
  const service = setUpTestApp();
  const directory = setUpDirectory();

  beforeAll(async () => {
    await service.fixtures.product({ sku: '0815', name: 'Plate', stock: 9 });
  });

  const run = (...args: string[]) => runCommand(service.database.serviceUrl, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(service.database.serviceUrl, ...args);
  const file = async (name: string, content: string) => {
    await writeFile(path.join(directory, name), content);
    return path.join(directory, name);
  };

  it('are refused before the import if the refused rows cannot be written', async () => {
    const row = 'sku,variation,quantity\n0815,,77\nNOPE,,1\n';
    const counts = await file('unwritten.csv', row);
    const link = path.join(directory, 'link.csv');
    await symlink(counts, link);
    for (const target of [path.join(directory, 'none', 'x.csv'), directory, counts, link]) {
      const { exitCode, stdout, stderr } = await run('stock', 'import', counts, '--failed', target, '--json');
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(JSON.parse(stderr)).toMatchObject({ code: 'unwritable_file' });
    }
    expect(await readFile(counts, 'utf8')).toBe(row);
    const report = await answer(
      'stock',
      'import',
      await file('good.csv', 'sku,variation,quantity\n0815,,77\n'),
    );
    expect(report).toMatchObject({ updated: 1 });
  });

  it('that cannot be written in the end do not hide the report of the import', async () => {
    const counts = await file('full.csv', 'sku,variation,quantity\n0815,,78\nNOPE,,1\n');
    const { exitCode, stdout, stderr } = await run('stock', 'import', counts, ...TO_FULL, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ updated: 1, failed: [{ line: 3 }] });
    expect(JSON.parse(stderr)).toMatchObject({ code: 'unwritable_file' });
  });

  it('that cannot be written make the command fail, even without refused rows', async () => {
    const counts = await file('all-good.csv', 'sku,variation,quantity\n0815,,79\n');
    for (const json of [[], ['--json']]) {
      const { exitCode, stdout, stderr } = await run('stock', 'import', counts, ...TO_FULL, ...json);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('/dev/full')]);
      expect(stdout).not.toBe('');
    }
    expect((await run('stock', 'import', counts, '--failed', '/dev/null')).exitCode).toBe(0);
  });

  it('name the reason of this refusal, and drop the one of an earlier file', async () => {
    const refusedOnce = await file(
      'once.csv',
      'sku,Reason ,variation,quantity\nNOPE,an old one,,1\n0815,,,-1\n',
    );
    const failed = path.join(directory, 'now.csv');
    const repeated = path.join(directory, 'again.csv');
    expect((await run('stock', 'import', refusedOnce, '--failed', failed)).exitCode).toBe(1);
    expect((await run('stock', 'import', failed, '--failed', repeated)).exitCode).toBe(1);
    const written = await readFile(failed, 'utf8');
    expect(written.split(/\r?\n/)).toEqual([
      'sku,variation,quantity,reason',
      'NOPE,,1,sku there is no product NOPE',
      expect.stringMatching(/^0815,,'?-1,"?quantity must be a whole number/),
      '',
    ]);
    expect(await readFile(repeated, 'utf8')).toBe(written);
  });

  it('keep the whole text of malformed rows, which are refused again', async () => {
    const columns = 'sku;name;description;category;images;base_price;delivery_charge;active;variations';
    const surplus = 'T1;Shirt;;;;100;0;true;Color=Red|Blue; Size=S|M';
    const stray = 'T2;5" pipe;;;;100;0;true;';
    const unclosed = 'T3;"Open;;;;100;0;true;\nT4;Swallowed;;;;1;0;true;';
    const failed = path.join(directory, 'mangled-1.csv');
    const repeated = path.join(directory, 'mangled-2.csv');
    const given = await file('mangled.csv', [columns, surplus, stray, unclosed].join('\n'));
    const first = await run('catalog', 'import', given, '--failed', failed, '--json');
    const second = await run('catalog', 'import', failed, '--failed', repeated, '--json');
    for (const { exitCode, stdout } of [first, second]) {
      expect(exitCode).toBe(1);
      const { created, failed: faults } = JSON.parse(stdout) as {
        created: number;
        failed: { line: number }[];
      };
      expect([created, [...new Set(faults.map(({ line }) => line))]]).toEqual([0, [2, 3, 4]]);
    }
    for (const kept of [await readFile(failed, 'utf8'), await readFile(repeated, 'utf8')]) {
      expect(kept).toContain(' Size=S|M');
      expect(kept).toContain('"T2;5"" pipe;;;;100;0;true;"');
      expect(kept).toContain('"T3;""Open;;;;100;0;true;\nT4;Swallowed;;;;1;0;true;"');
    }
  });

  it('may have rows that are much too long: each is named, with little memory', async () => {
    const columns = 'sku,name,description,category,images,base_price,delivery_charge,active,variations';
    const long = `,N,${'x'.repeat(950_000)},,,1,0,true,`;
    const given = path.join(directory, 'long.csv');
    await writeFile(given, `${columns}\n`);
    for (let row = 0; row < 100; row++) await appendFile(given, `L${row}${long}\n`);
    await appendFile(given, 'SHORT,Short,,,,1,0,true,\n');
    const { stdout } = await run('catalog', 'import', given, '--json');
    const report = JSON.parse(stdout) as { created: number; failed: { line: number; message: string }[] };
    expect([report.created, report.failed.length]).toEqual([1, 100]);
    expect(report.failed[99]).toMatchObject({
      line: 101,
      message: expect.stringContaining('is longer than') as string,
    });
  });

  it('stay unchanged until an export is complete, and are then readable by their owner only', async () => {
    const output = await file('export.csv', 'before');
    await chmod(output, 0o666);
    expect(await answer('catalog', 'export', '--output', output)).toMatchObject({ file: output });
    expect(await readFile(output, 'utf8')).toContain('0815,Plate');
    const unheard = path.join(directory, 'new.csv');
    await answer('catalog', 'export', '--output', unheard);
    const refused = path.join(directory, 'refused.csv');
    await run(
      'stock',
      'import',
      await file('bad.csv', 'sku,variation,quantity\nNOPE,,1\n'),
      '--failed',
      refused,
    );
    for (const written of [output, unheard, refused]) expect((await stat(written)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('are never links', async () => {
    const kept = await file('kept.csv', 'kept');
    const link = path.join(directory, 'to-kept.csv');
    const dangling = path.join(directory, 'to-nothing.csv');
    await symlink(kept, link);
    await symlink(path.join(directory, 'nothing.csv'), dangling);
    for (const output of [link, dangling]) {
      const { exitCode, stderr } = await run('catalog', 'export', '--output', output, '--json');
      expect(exitCode).toBe(1);
      expect(JSON.parse(stderr)).toMatchObject({
        code: 'unwritable_file',
        message: expect.stringContaining('is a link') as string,
      });
    }
    expect(await readFile(kept, 'utf8')).toBe('kept');
    expect(await readdir(directory)).not.toContain('nothing.csv');
  });

  it('may be a pipe, unless another user owns it', async () => {
    const pipe = path.join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [{ exitCode }, read] = await Promise.all([
      run('catalog', 'export', '--output', pipe),
      readFile(pipe, 'utf8'),
    ]);
    expect([exitCode, read]).toEqual([0, expect.stringContaining('0815,Plate')]);
    if (process.getuid?.() !== 0) return;
    await chown(pipe, 65_534, 65_534);
    const reader = spawn('cat', [pipe], { stdio: 'ignore' });
    const { stderr } = await run('catalog', 'export', '--output', pipe, '--json');
    reader.kill();
    expect(JSON.parse(stderr)).toMatchObject({
      message: expect.stringContaining('belongs to another user') as string,
    });
  });

  it('may be a pipe whose reader stalls: it loses nothing and holds no transaction', async () => {
    const pipe = path.join(directory, 'slow');
    execFileSync('mkfifo', [pipe]);
    const products = Array.from({ length: 40 }, () => ({ description: 'x'.repeat(50_000) }));
    await service.fixtures.products(products);
    // It reads a byte, and the rest after a line of input.
    const script = 'exec 3< "$0"; dd bs=1 count=1 <&3 2> /dev/null; read -r line; cat <&3';
    const reader = spawn('sh', ['-c', script, pipe]);
    const exported = run('catalog', 'export', '--output', pipe);
    await once(reader.stdout, 'data');
    await eventually(async () => {
      const { rowCount } = await service.pool.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND usename <> current_user AND xact_start IS NOT NULL`,
      );
      return rowCount === 0;
    });
    reader.stdin.end('\n');
    expect((await text(reader.stdout)).match(/x{50000}/g)).toHaveLength(products.length);
    expect((await exported).exitCode).toBe(0);
  });
});
