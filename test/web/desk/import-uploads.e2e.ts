import { connect } from 'node:net';
import os from 'node:os';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import request from 'supertest';
import { MAX_STORED } from '../../../src/shared/imports/import-runs.service.js';
import { IMPORTS, type ImportFile, setUpImports } from '../../support/desk-imports.js';
import { eventually } from '../../support/eventually.js';
import { headline, readable } from '../../support/page-text.js';
import { type SignedIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

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
    ['a picture', { content: Buffer.from('\x89PNG\r\n\x1a\n\0\0\xff\xfe', 'latin1') }, /not in UTF-8/],
    ['an old workbook', { content: Buffer.from('d0cf11e0a1b11ae1', 'hex') }, /old workbook/],
    ['a broken workbook', { name: 'a.xlsx', content: 'PK\x03\x04 no archive' }, /workbook/],
    ['another kind', { kind: 'stock', content: 'plan,sku,wholesale_price\nGOLD,MUG,1\n' }, /quantity/],
    ['a wrong heading', { content: 'article;price\nMUG;1\n' }, /sku/],
    ['a page of the web', { content: '<!doctype html><title>Sign in</title>' }, /sku/],
  ])('%s', async (_, file, reason) => {
    const { status, message } = await refused(file);
    expect(status).toBe(200);
    expect(message).toMatch(/could not be imported/);
    expect(message).toMatch(reason);
  });

  it('a name with a path, control signs and markup', async () => {
    const { html } = await upload({ name: '..\\..\\a\u202eb<i>.csv', content: 'sku,base_price\nMUG,1\n' });
    expect(html).toContain('ab&lt;i>.csv');
    expect(html).not.toContain('..\\');
  });

  it('no file, no kind, another kind of form', async () => {
    const empty = await refused({ content: '' });
    expect(empty).toEqual({
      status: 422,
      message: expect.stringContaining('The file is empty.') as string,
    });
    const post = () =>
      request(test.url).post(IMPORTS).set('Cookie', staff.cookie).set('Sec-Fetch-Site', 'same-origin');
    const none = await post()
      .field('kind', 'catalog')
      .attach('file', Buffer.alloc(0), { filename: '', contentType: 'application/octet-stream' });
    expect([none.status, readable(none.text)]).toEqual([422, expect.stringContaining('Choose a file.')]);
    const late = await post().attach('file', Buffer.from('sku\n'), 'a.csv').field('kind', 'catalog');
    expect([late.status, readable(late.text)]).toEqual([
      422,
      expect.stringContaining('Choose what the file has.'),
    ]);
    const two = await post()
      .field('kind', 'catalog')
      .attach('a', Buffer.from('sku\n'), 'a.csv')
      .attach('b', Buffer.from('sku\n'), 'b.csv');
    expect(two.status).toBe(400);
    const form = await staff.post(IMPORTS, { kind: 'catalog' });
    expect([form.status, readable(form.text)]).toEqual([415, expect.stringContaining('multipart/form-data')]);
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
    (await test.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM import_runs')).rows[0]!
      .count;

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
    // Of 95 MB that have arrived. Some wait for the garbage collector.
    expect(inUse).toBeLessThan(60_000_000);
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
});
