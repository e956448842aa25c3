import { connect } from 'node:net';
import os from 'node:os';
import { Readable } from 'node:stream';
import { mock } from 'node:test';
import request from 'supertest';
import { CatalogFiles } from '../../../src/modules/catalog/catalog-files.service.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { WorkerThreads } from '../../../src/platform/worker-threads/worker-threads.js';
import { ImportRuns, MAX_STORED } from '../../../src/shared/imports/import-runs.service.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { type ImportFile, IMPORTS, setUpImports } from '../../support/desk-imports.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { shared, type TaskOptions } from '../../support/heavy-tasks.js';
import { hostileFiles } from '../../support/hostile-files.js';
import { expectPage, headline, readable } from '../../support/page-text.js';
import { type SignedIn, signInAtDesk, uploadAtDesk } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { setUpTestApp } from '../../support/test-app.js';
import { workbook } from '../../support/xlsx.js';

/** In bytes. */
function buffersInUse(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('Uploads of files at the desk', () => {
  const test = setUpTestApp();
  const { staff, send, settled, upload, prices } = setUpImports(test);

  const refused = async (file: ImportFile) => {
    const before = await prices();
    const sent = await send(staff, file);
    if (sent.status !== 303) return { status: sent.status, message: readable(sent.text) };
    await settled();
    const { text, status } = await staff.get(sent.headers.location as string);
    expect(text).not.toContain('/apply"');
    expect(await prices()).toEqual(before);
    return { status, message: readable(text) };
  };

  it.each<[string, ImportFile, RegExp]>([
    [
      'a picture',
      { content: Buffer.from('\x89PNG\r\n\x1a\n\0\0\xff\xfe', 'latin1') },
      /a picture \(PNG\), not a spreadsheet/,
    ],
    ['an old workbook', { content: Buffer.from('d0cf11e0a1b11ae1', 'hex') }, /old workbook/],
    ['a broken workbook', { name: 'a.xlsx', content: 'PK\x03\x04 no archive' }, /workbook/],
    ['another kind', { kind: 'stock', content: 'plan,sku,wholesale_price\nGOLD,MUG,1\n' }, /quantity/],
    ['a wrong heading', { content: 'article;price\nMUG;1\n' }, /SKU/],
    ['a page of the web', { content: '<!doctype html><title>Sign in</title>' }, /lacks SKU/],
  ])('%s', async (_, file, reason) => {
    const { status, message } = await refused(file);
    expect(status).toBe(200);
    expect(message).toMatch(/could not be imported|Choose the columns of/);
    expect(message).toMatch(reason);
  });

  it('a name with a path, control signs and markup', async () => {
    const { html } = await upload({ name: '..\\..\\a\u202eb<i>.csv', content: 'sku,base_price\nMUG,1\n' });
    expect(html).toContain('ab&lt;i>.csv');
    expect(html).not.toContain('..\\');
  });

  it('no file, no kind, another kind of form', async () => {
    const empty = await refused({ content: '' });
    expect(empty).toEqual({ status: 422, message: expect.stringContaining('The file is empty.') as string });
    const post = () =>
      request(test.url).post(IMPORTS).set('Cookie', staff.cookie).set('Sec-Fetch-Site', 'same-origin');
    const none = await post()
      .field('kind', 'catalog')
      .attach('file', Buffer.alloc(0), { filename: '', contentType: 'application/octet-stream' });
    expectPage(none, 422, 'Choose a file.');
    const late = await post().attach('file', Buffer.from('sku\n'), 'a.csv').field('kind', 'catalog');
    expectPage(late, 422, 'Choose what the file has.');
    const two = await post()
      .field('kind', 'catalog')
      .attach('a', Buffer.from('sku\n'), 'a.csv')
      .attach('b', Buffer.from('sku\n'), 'b.csv');
    expect(two.status).toBe(400);
    const form = await staff.post(IMPORTS, { kind: 'catalog' });
    expectPage(form, 415, 'multipart/form-data');
    const borderless = await post().set('Content-Type', 'multipart/form-data').send('x');
    expect(borderless.status).toBe(400);
  });

  /** What the service answers to bytes of a request, which may never end. */
  const raw = (
    head: string[],
    body: Iterable<string | Buffer> | AsyncIterable<string>,
    end: 'wait' | 'cut',
  ) =>
    new Promise<string>((resolve, reject) => {
      const { port, hostname } = new URL(test.url);
      const socket = connect(Number(port), hostname);
      let received = '';
      socket.on('data', (piece: Buffer) => {
        received += piece.toString();
        if (received.includes('</html>')) socket.destroy();
      });
      socket.on('close', () => resolve(received)).on('error', reject);
      const lines = [
        'POST /desk/imports HTTP/1.1',
        `Host: ${hostname}`,
        `Cookie: ${staff.cookie}`,
        'Sec-Fetch-Site: same-origin',
        ...head,
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      const pieces = Readable.from(body, { objectMode: false });
      pieces.once('end', () => end === 'cut' && socket.write('', () => socket.destroy()));
      pieces.pipe(socket, { end: false });
    });

  const TYPE = 'Content-Type: multipart/form-data; boundary=B';
  const START =
    '--B\r\nContent-Disposition: form-data; name="kind"\r\n\r\ncatalog\r\n' +
    '--B\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nsku,name\r\n';
  const runs = async () =>
    (await test.query<{ count: number }>('SELECT count(*)::int AS count FROM import_runs'))[0]!.count;

  it('2 GB, refused by its length before it arrives', async () => {
    const answer = await raw([TYPE, 'Content-Length: 2000000000'], [START], 'wait');
    expect(answer).toContain('HTTP/1.1 413');
    expect(answer).toContain('at most 100 MB');
  });

  it('2 GB without a length, refused while it arrives, in little memory', async () => {
    const before = [await runs(), buffersInUse()] as const;
    const chunkOf = (content: Buffer) => Buffer.concat([lengthOf(content), content, Buffer.from('\r\n')]);
    const lengthOf = ({ length }: Buffer) => Buffer.from(`${length.toString(16)}\r\n`);
    const megabyte = chunkOf(Buffer.alloc(1_000_000, 'x'));
    let sent = 0;
    let inUse = 0;
    function* body() {
      yield chunkOf(Buffer.from(START));
      while (sent++ < 2_000) {
        yield megabyte;
        if (sent === 95) inUse = buffersInUse() - before[1];
      }
    }
    const answer = await raw([TYPE, 'Transfer-Encoding: chunked'], body(), 'wait');
    expect(answer).toContain('HTTP/1.1 413');
    expect(answer).toContain('at most 100 MB');
    expect(sent).toBeLessThan(200);
    // Of 95 MB that have arrived. On a busy machine, many wait for the garbage collector.
    expect(inUse).toBeLessThan(80_000_000);
    await eventually(async () => (await runs()) === before[0]);
  });

  it('cut off in the middle', async () => {
    const before = await runs();
    async function* startedBody() {
      yield START;
      await eventually(async () => (await runs()) > before);
    }
    await raw([TYPE, 'Content-Length: 100000'], startedBody(), 'cut');
    await eventually(async () => (await runs()) === before);
    await raw([TYPE, 'Content-Length: 100000'], [START], 'cut');
    // A form whose last border is missing is not whole either.
    const answer = await raw([TYPE, `Content-Length: ${START.length}`], [START], 'wait');
    expect(answer).toContain('HTTP/1.1 400');
    // A sender that pauses is given up after 30 s.
    await eventually(async () => (await runs()) === before, 15_000);
    const { rows: pieces } = await test.pool.query(
      'SELECT FROM import_pieces p LEFT JOIN import_runs r ON r.id = run_id WHERE r.id IS NULL',
    );
    expect(pieces).toEqual([]);
  });

  it('says that the temporary folder cannot be written, and reads the file later', async () => {
    const { tmpdir } = os;
    let path: string;
    try {
      os.tmpdir = () => '/dev/full';
      ({ path } = await upload({ content: 'sku,base_price\nMUG,242\n' }));
    } finally {
      os.tmpdir = tmpdir;
    }
    const message = readable((await staff.get(path)).text);
    expect(message).toContain('The temporary folder of the service is full or cannot be written (ENOTDIR).');
    expect(message).toContain('free disk space, then check the file again');
    await staff.post(`${path}/check`);
    await settled();
    expect(headline((await staff.get(path)).text)).not.toContain('could not be imported');
  });

  it('stores a file in a part of its size, and as much of each person and of all as is allowed', async () => {
    const content = `sku,base_price\n${'NO-SUCH-PRODUCT,242\n'.repeat(20_000)}`;
    const { id } = await upload({ content });
    await settled();
    const { rows: sums } = await test.pool.query<{ stored: number }>(
      'SELECT sum(octet_length(bytes))::int AS stored FROM import_pieces WHERE run_id = $1',
      [id],
    );
    expect(sums[0]!.stored).toBeLessThan(content.length / 2);

    const other = await signInAtDesk(test, 'staff');
    const sendBy = async (person: Pick<SignedIn, 'cookie' | 'get'>) => {
      const { status, text } = await send(person, { content: 'sku,base_price\nMUG,242\n' });
      return [status, readable(text)];
    };
    await test.pool.query('UPDATE import_runs SET size = $2 WHERE id = $1', [id, MAX_STORED.ofPerson]);
    expect(await sendBy(staff)).toEqual([429, expect.stringContaining('reached the limit of 1000 MB')]);
    expect((await sendBy(other))[0]).toBe(303);
    await settled();
    await test.pool.query(
      `UPDATE import_runs SET size = 2000000000, actor = 'person 0' WHERE size IS NOT NULL`,
    );
    expect(await sendBy(other)).toEqual([429, expect.stringContaining('The files of all people')]);
  });

  afterAll(endEverything);
});

const TASKS = import.meta.resolve('../../support/heavy-tasks.js');
const HEADING = ['sku', 'name', 'base_price', 'delivery_charge'];

describe('A file that asks for too much work', () => {
  const test = setUpTestApp();
  let staff: SignedIn<DeskPerson>;
  let store: Store;

  beforeAll(async () => {
    staff = await signInAtDesk(test, 'staff');
    store = await test.fixtures.store();
    await test.fixtures.product({ sku: 'MUG', stock: 5 });
  });

  const settled = () => test.app.get(ImportRuns).settled();

  const upload = (name: string, content: Buffer) =>
    uploadAtDesk(test.url, staff.cookie, { kind: 'catalog', name, content });

  /** The next workbook is not read: its real thread does this. */
  const onceInstead = (facts: TaskOptions) => {
    const heavy = test.app.get(WorkerThreads);
    const run = heavy.run.bind(heavy);
    const other: typeof run = (account, work) => run(account, { ...work, module: TASKS, facts });
    const mocked = mock.method(heavy, 'run');
    mocked.mock.mockImplementationOnce(other);
    return mocked;
  };

  // The same files are much larger in the suite about memory.
  it.each(hostileFiles(2_000_000))('is refused: %s', async (_, make, reason) => {
    const path = await upload('bad.xlsx', make());
    // Other requests are answered meanwhile.
    await test.get(store, '/api/products/MUG/stock').expect(200);
    await settled();
    const { text } = await staff.get(path);
    expect(headline(text)).toBe('bad.xlsx could not be imported');
    expect(readable(text)).toMatch(reason);

    const next = await upload('good.xlsx', workbook([HEADING, ['PAN', 'Pan', '90', '10']]));
    await settled();
    expect(headline((await staff.get(next)).text)).toBe('1 row would be written');
  });

  it('is refused if its thread has no memory left', async () => {
    const starving = onceInstead({ ends: 'without memory' });
    const content = workbook([HEADING, ['PAN', 'Pan', '90', '10']]);
    const path = await upload('large.xlsx', content);
    await settled();
    expect(starving.mock.callCount()).toBe(1);
    starving.mock.restore();
    const { text } = await staff.get(path);
    expect(headline(text)).toBe('large.xlsx could not be imported');
    expect(readable(text)).toContain('it needs too much memory; save it as CSV UTF-8');
    await staff.post(`${path}/check`);
    await settled();
    expect(headline((await staff.get(path)).text)).toBe('1 row would be written');
  });

  it('delays a workbook of another kind, which a person may cancel before its turn', async () => {
    const gate = shared();
    const held = onceInstead({ gate });
    const first = await upload('first.xlsx', workbook([['sku']]));
    await eventually(() => held.mock.callCount() === 1);
    const content = workbook([
      ['sku', 'variation', 'quantity'],
      ['MUG', '', '7'],
    ]);
    const second = await uploadAtDesk(test.url, staff.cookie, {
      kind: 'stock',
      name: 'second.xlsx',
      content,
    });
    expect(headline((await staff.get(second)).text)).toBe('Checking second.xlsx');
    expect((await staff.post(`${second}/cancel`, { checks: '1' })).status).toBe(303);
    expect(headline((await staff.get(second)).text)).toBe('The check of second.xlsx was cancelled');
    const third = await uploadAtDesk(test.url, staff.cookie, { kind: 'stock', name: 'third.xlsx', content });
    expect((await staff.post(`${first}/cancel`, { checks: '1' })).status).toBe(303);
    await settled();
    expect(Atomics.load(gate, 0)).toBe(0);
    expect(headline((await staff.get(third)).text)).toBe('1 row would be written');
    expect(headline((await staff.get(second)).text)).toBe('The check of second.xlsx was cancelled');
    held.mock.restore();
  });

  it('has at most 10 million rows', async () => {
    const records = [1, 10_000_001].map((line) => ({ line, cells: HEADING }));
    const source = {
      async *batches() {
        yield { records, progress: 1 };
      },
    };
    const files = test.app.get(CatalogFiles);
    await expect(files.import(source, { actor: 'test' })).rejects.toThrow('more than 10000000 rows');
  });

  it('is not one with empty rows and cells at its end, a wide heading, or long texts that no row needs', async () => {
    const blank = `${','.repeat(16_000)}\n`;
    const head = 'sku,name,base_price,delivery_charge';
    const lines = [`${head}${blank}`, `PAN,Pan,90,10${blank}`, blank.repeat(200), '\n'.repeat(100_000)];
    const path = await upload('spread.csv', Buffer.from(lines.join('')));
    await settled();
    expect(headline((await staff.get(path)).text)).toBe('1 row would be written');

    const long = { xml: `<c t="inlineStr"><is><t>${'x'.repeat(250_000)}</t></is></c>` };
    const rows = [HEADING, ['PAN', 'Pan', '90', '10'], ['POT', long, '90', '10'], ['JUG', 'Jug', '90', '10']];
    const other = await upload('long.xlsx', workbook(rows));
    await settled();
    const { text } = await staff.get(other);
    expect(headline(text)).toBe('2 rows would be written, 1 row refused');
    expect(readable(text)).toContain('Row 3 is longer than 200000 characters');
  });
});
