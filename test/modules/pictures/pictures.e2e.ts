import { hash as hashOf } from 'node:crypto';
import { zipSync } from 'fflate';
import request from 'supertest';
import { PicturesService } from '../../../src/modules/pictures/pictures.service.js';
import { FirmJob } from '../../../src/modules/invoices/firm.job.js';
import { readPictureHeader } from '../../../src/modules/pictures/rules/picture-header.js';
import { SnapshotService } from '../../../src/read-model/snapshot/snapshot.service.js';
import { OwnAddress } from '../../../src/platform/http/own-address.js';
import type { Store } from '../../support/fixtures.js';
import { eventually } from '../../support/eventually.js';
import { hiddenFields, readable } from '../../support/page-text.js';
import { JPEG, png, WEBP } from '../../support/picture-files.js';
import { type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { makeBeforeAll, makeBeforeEach } from '../../support/suite-hooks.js';
import { setUpInvoicing } from '../../support/tax-documents.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { lockWaits } from '../../support/while-locked.js';

const KURTA = '/desk/goods/products/KURTA-01';

type Person = Pick<SignedIn, 'cookie'>;

const pathOf = (bytes: Buffer, type: string) => `/pictures/${hashOf('sha256', bytes, 'hex')}.${type}`;

describe('Pictures', () => {
  const test = setUpTestApp();
  let store: Store;

  beforeEach(async () => {
    await test.fixtures.clear();
    await test.pool.query('TRUNCATE pictures');
    const plan = await test.fixtures.plan({ discount: '10' });
    store = await test.fixtures.store({ planId: plan.id });
    await test.fixtures.products([{ sku: 'KURTA-01' }, { sku: 'KURTA' }, { sku: 'MUG' }]);
  });
  const staff = makeBeforeEach(() => signInAtDesk(test, 'staff'));

  const send = (
    path: string,
    content: Buffer,
    { person = staff as Person, fields = {}, name = 'a.jpg' } = {},
  ) => {
    const form = request(test.url)
      .post(path)
      .set('Cookie', person.cookie)
      .set('Sec-Fetch-Site', 'same-origin');
    for (const [field, value] of Object.entries(fields)) form.field(field, String(value));
    return form.attach('file', content, name);
  };
  const upload = (content: Buffer, person: Person = staff) => send(`${KURTA}/pictures`, content, { person });
  const noticeOf = (headers: { 'set-cookie'?: unknown }) =>
    Buffer.from(/notice=([\w-]+)/.exec(String(headers['set-cookie']))![1]!, 'base64url').toString();
  const images = async (sku = 'KURTA-01') =>
    (await test.pool.query<{ images: string[] }>('SELECT images FROM products WHERE sku = $1', [sku]))
      .rows[0]!.images;
  const kept = async () => (await test.pool.query('SELECT hash FROM pictures')).rows.length;

  describe('of one product', () => {
    it('are kept once, shown at the desk, in the dashboard and to stores', async () => {
      const path = pathOf(JPEG, 'jpg');
      expect((await upload(JPEG)).status).toBe(303);
      expect((await upload(JPEG)).status).toBe(303);
      await upload(WEBP);
      expect([await images(), await kept()]).toEqual([[path, pathOf(WEBP, 'webp')], 2]);
      const small = path.replace('/pictures/', '/pictures/small/').replace('.jpg', '.webp');
      const viewer = await signIn(test, store.clientId, 'viewer');
      for (const [person, page] of [
        [staff, KURTA],
        [staff, '/desk/goods'],
        [viewer, '/dashboard/catalog'],
        [viewer, '/dashboard/catalog/KURTA-01'],
      ] as const) {
        const { text, headers } = await person.get(page);
        expect([page, text]).toEqual([page, expect.stringContaining(`src="${small}"`)]);
        expect(headers['content-security-policy']).toContain("img-src 'self' https:");
      }
      const { publicUrl } = test.app.get(OwnAddress);
      const addresses = [publicUrl + path, publicUrl + pathOf(WEBP, 'webp')];
      await test.app.get(SnapshotService).refreshNow();
      const one = await test.get(store, '/api/products/KURTA-01');
      expect((one.body as { data: object }).data).toMatchObject({ images: addresses });
      const { data } = (await test.get(store, '/api/products')).body as { data: { images: string[] }[] };
      expect(data.map((product) => product.images)).toContainEqual(addresses);
      expect((await viewer.get('/dashboard/catalog.csv')).text).toContain(addresses.join(' '));
      const { rows: log } = await test.pool.query(
        `SELECT actor, details FROM audit_log WHERE action = 'product.changed' ORDER BY id`,
      );
      expect(log).toMatchObject([
        { actor: expect.stringContaining(staff.person.email), details: { images: path } },
        {},
      ]);
    });

    it('are removed from it, and stay at their address', async () => {
      await upload(JPEG);
      const image = pathOf(JPEG, 'jpg');
      expect((await staff.post(`${KURTA}/pictures/remove`, { image })).status).toBe(303);
      expect(await images()).toEqual([]);
      await request(test.url).get(image).expect(200);
    });

    it.each<[string, () => Buffer, RegExp]>([
      [
        'an SVG',
        () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
        /no JPEG/,
      ],
      ['a page with the name of a picture', () => Buffer.from('<!doctype html>GIF89a'), /no JPEG/],
      ['an empty file', () => Buffer.alloc(0), /no JPEG/],
      ['too many pixels by its header', () => png(30_000, 30_000, { pixelRows: 1 }), /30000 × 30000 pixels/],
      ['a long side', () => png(10_001, 1), /10001 × 1 pixels/],
      ['fewer pixels than declared', () => png(500, 500, { pixelRows: 3 }), /damaged/],
      [
        'a header without pixels',
        () => Buffer.concat([JPEG.subarray(0, 60), Buffer.from('ffc0000b0800030005', 'hex')]),
        /damaged|no JPEG/,
      ],
      ['more bytes than allowed', () => Buffer.concat([JPEG, Buffer.alloc(5_000_001)]), /at most 5 MB/],
    ])('are refused: %s', async (_, content, reason) => {
      const { status, headers } = await upload(content());
      expect([status, noticeOf(headers)]).toEqual([303, expect.stringMatching(reason)]);
      expect([await images(), await kept()]).toEqual([[], 0]);
    });

    it.each(['€.jpg', 'constructor', 'HASH.constructor', 'small/HASH.jpg', 'small/HASH.exe'])(
      'have no other names, such as %s',
      async (name) => {
        await upload(JPEG);
        const hash = hashOf('sha256', JPEG, 'hex');
        const address = `/pictures/${encodeURI(name.replace('HASH', hash))}`;
        await request(test.url).get(address).expect(404);
        await request(test.url).get(address).set('If-None-Match', '*').expect(404);
      },
    );

    it('are pictures only, whatever else stands in their bytes', async () => {
      const polyglot = Buffer.concat([JPEG, Buffer.from('<script>alert(1)</script>PK\x03\x04')]);
      await upload(polyglot);
      const { headers } = await request(test.url).get(pathOf(polyglot, 'jpg')).expect(200);
      expect(headers).toMatchObject({ 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' });
    });

    it('are for staff, of this desk and from its own pages', async () => {
      const people = [await signInAtDesk(test, 'packer'), await signIn(test, store.clientId)];
      for (const person of people) {
        expect((await upload(JPEG, person)).status).not.toBe(303);
        expect((await send('/desk/goods/pictures', Buffer.alloc(9), { person })).text).not.toContain(
          'refused',
        );
      }
      const foreign = request(test.url).post(`${KURTA}/pictures`).set('Cookie', staff.cookie);
      expect((await foreign.set('Sec-Fetch-Site', 'cross-site').attach('file', JPEG, 'a.jpg')).status).toBe(
        403,
      );
      expect((await send('/desk/goods/products/NONE/pictures', JPEG)).status).toBe(404);
      expect([await images(), await kept()]).toEqual([[], 0]);
    });

    it('are refused beyond the limit of a product', async () => {
      const full = Array.from({ length: 20 }, (_, at) => `https://a.example/${at}.jpg`);
      await test.pool.query('UPDATE products SET images = $1', [full]);
      expect(noticeOf((await upload(JPEG)).headers)).toContain('at most 20');
      expect(await images()).toEqual(full);
    });
  });

  describe('at their address', () => {
    it('are kept by browsers, on each node, in their own type', async () => {
      await upload(JPEG);
      const path = pathOf(JPEG, 'jpg');
      const node = await startTestApp({}, test.database);
      try {
        const { body, headers } = await request(node.url).get(path).expect(200);
        expect(body).toEqual(JPEG);
        expect(headers).toMatchObject({
          'content-type': 'image/jpeg',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          etag: `"${path.split('/').at(-1)}"`,
        });
        // Stores show them on their own pages.
        expect(headers['cross-origin-resource-policy']).toBeUndefined();
        await request(node.url).get(path).set('If-None-Match', headers.etag!).expect(304);
      } finally {
        await node.close();
      }
      const small = await request(test.url).get(
        path.replace(/pictures\/(\w+).jpg/, 'pictures/small/$1.webp'),
      );
      expect(small.headers['content-type']).toBe('image/webp');
      // The rotation that the photo declares.
      const [width, height] = [26, 28].map((at) => (small.body as Buffer).readUInt16LE(at) & 0x3fff);
      expect([width, height]).toEqual([16, 24]);
    });

    it('are read in turn for each network: many readers of one let another pass', async () => {
      const pictures = test.app.get(PicturesService, { strict: false });
      const ended: string[] = [];
      const read = async (network: string, n: number) => {
        const name = `${hashOf('sha256', `${network} ${n}`, 'hex')}.jpg`;
        await expect(pictures.read(name, network)).rejects.toMatchObject({ code: 'route_not_found' });
        ended.push(network);
      };
      const client = await test.pool.connect();
      try {
        await client.query('BEGIN; LOCK TABLE pictures');
        const reads = Promise.all([
          ...Array.from({ length: 20 }, (_, n) => read('192.0.2', n)),
          read('198.51.100', 1),
        ]);
        await eventually(async () => (await lockWaits(test.pool)) > 0);
        await client.query('ROLLBACK');
        await reads;
      } finally {
        client.release();
      }
      expect(ended).toHaveLength(21);
      expect(ended.indexOf('198.51.100')).toBeLessThan(5);
    });

    it('are not found by other names', async () => {
      await upload(JPEG);
      const path = pathOf(JPEG, 'jpg');
      for (const other of [
        path.replace('.jpg', '.png'),
        path.replace('.jpg', '.svg'),
        path.toUpperCase(),
        `${path}%00`,
        '/pictures/..%2f..%2fetc%2fpasswd',
        pathOf(WEBP, 'webp'),
      ])
        expect([other, (await request(test.url).get(other)).status]).toEqual([other, 404]);
    });
  });

  describe('in an archive', () => {
    const archive = (files: Record<string, Buffer>, fields = {}) =>
      send('/desk/goods/pictures', Buffer.from(zipSync(files)), { fields, name: 'a.zip' });

    it('belong to the SKU of their name, in the order of their numbers', async () => {
      const [second, third] = [png(2), png(3)];
      await test.pool.query(`UPDATE products SET images = '{https://a.example/1.jpg}' WHERE sku = 'MUG'`);
      const { status, text } = await archive({
        'photos/KURTA-01_2.png': second,
        'photos/KURTA-01 (3).png': third,
        'photos/KURTA-01.JPG': JPEG,
        'KURTA-3.webp': WEBP,
        'MUG.jpeg': JPEG,
        'NONE.jpg': JPEG,
        'list.txt': Buffer.from('x'),
        'MUG-2.png': png(30_000, 30_000, { pixelRows: 1 }),
        '__MACOSX/._MUG.jpeg': Buffer.from('x'),
        '.DS_Store': Buffer.from('x'),
      });
      expect([status, readable(text)]).toEqual([
        200,
        expect.stringMatching(
          /5 pictures of 3 products .*3 files were refused.*NONE.jpg There is no product with this SKU. Capital letters count. list.txt The file is no JPEG, PNG or WebP. MUG-2.png The picture has 30000 × 30000 pixels/,
        ),
      ]);
      expect(await images()).toEqual([pathOf(JPEG, 'jpg'), pathOf(second, 'png'), pathOf(third, 'png')]);
      expect(await images('KURTA')).toEqual([pathOf(WEBP, 'webp')]);
      expect(await images('MUG')).toEqual(['https://a.example/1.jpg', pathOf(JPEG, 'jpg')]);
      expect(await kept()).toBe(4);
      // The same archive again changes nothing; with this option it replaces.
      await archive({ 'MUG.jpeg': JPEG });
      expect(await images('MUG')).toHaveLength(2);
      await archive({ 'MUG.jpeg': JPEG }, { replace: 'yes' });
      expect(await images('MUG')).toEqual([pathOf(JPEG, 'jpg')]);
    });

    it.each([
      ['no archive', Buffer.from('no archive')],
      ['an archive with a path out of it', Buffer.from(zipSync({ '../MUG.jpg': JPEG }))],
      ['an archive that is cut off', Buffer.from(zipSync({ 'MUG.jpg': JPEG })).subarray(0, 200)],
      [
        'an archive of too many files',
        Buffer.from(
          zipSync(
            Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`${at}.jpg`, Buffer.alloc(0)])),
          ),
        ),
      ],
    ])('are refused in %s', async (_, content) => {
      const { status, text } = await send('/desk/goods/pictures', content);
      expect([status, readable(text)]).toEqual([
        422,
        expect.stringMatching(/is no ZIP archive|more than 1000 files/),
      ]);
      expect(await images('MUG')).toEqual([]);
    });

    it('are refused if they unpack to more than a picture may have', async () => {
      const { text } = await archive({ 'MUG.jpg': Buffer.concat([JPEG, Buffer.alloc(50_000_000)]) });
      expect(readable(text)).toContain('MUG.jpg The picture has more than 5 MB.');
    });
  });
});

describe('A logo', () => {
  const test = setUpTestApp();
  const admin = makeBeforeAll(() => signInAtDesk(test));
  const orders = setUpInvoicing(test);

  const upload = (content: Buffer, person: Person = admin) =>
    request(test.url)
      .post('/desk/settings/logo')
      .set('Cookie', person.cookie)
      .set('Sec-Fetch-Site', 'same-origin')
      .attach('file', content, 'logo.png');
  const confirm = (review: string) =>
    admin.post('/desk/settings/logo/set', { ...hiddenFields(review), step: 'confirm' });
  const setLogo = async (content: Buffer) => confirm((await upload(content).expect(200)).text).expect(303);
  const removeLogo = async () =>
    confirm((await admin.post('/desk/settings/logo/set').expect(200)).text).expect(303);
  const printed = async (number: string) => {
    const { body } = await admin.get(`/desk/money/invoices/${number}.pdf`).responseType('blob').expect(200);
    return body as Buffer;
  };

  it('stands on the documents of its days, whose bytes stay the same', async () => {
    const issued: { order: string; number: string; pdf: Buffer }[] = [];
    const issue = async () => {
      const order = await orders.shipped(1);
      const [document] = await orders.documents(order);
      issued.push({ order, number: document!.number, pdf: await printed(document!.number) });
    };
    await setLogo(png(700, 200, { shade: 40 }));
    await issue();
    await setLogo(WEBP);
    await issue();
    await removeLogo();
    await issue();
    expect(issued.map(({ pdf }) => pdf.includes('/DCTDecode'))).toEqual([true, true, false]);
    for (const { number, pdf } of issued) expect((await printed(number)).equals(pdf)).toBe(true);
    const { rows } = await test.pool.query<{ logo: string | null }>(
      `SELECT facts->'seller'->>'logo' AS logo FROM tax_documents WHERE kind = 'invoice' ORDER BY issued_at`,
    );
    expect(rows.map(({ logo }) => logo !== null)).toEqual([true, true, false]);
    expect(new Set(rows.map(({ logo }) => logo)).size).toBe(3);
    // Another logo alone is no reason for another invoice.
    const reissue = orders.desk.undo(issued[0]!.order, 'test', { action: 'reissue', reason: 'logo' });
    await expect(reissue).rejects.toThrow('would be the same as');
  });

  it('heads the pages with the name of the firm, on paper as small as it needs', async () => {
    await setLogo(png(700, 200, { shade: 40 }));
    const [path] = /\/pictures\/[0-9a-f]{64}\.jpg/.exec((await admin.get('/desk/settings')).text)!;
    const { body } = await request(test.url).get(path).responseType('blob').expect(200);
    expect(readPictureHeader(body as Buffer)).toEqual({ type: 'jpg', width: 600, height: 171 });
    const owner = await signIn(test, orders.store.clientId);
    await test.app.get(FirmJob, { strict: false }).runSoon();
    for (const [text, place] of [
      [(await owner.get('/dashboard/help')).text, 'Asha Traders'],
      [(await admin.get('/desk')).text, 'Desk'],
      [(await request(test.url).get('/docs/guide')).text, 'Wholesale Order API'],
      [(await request(test.url).get('/dashboard/sign-in')).text, 'Dashboard'],
    ] as const) {
      expect(text.includes(`<img src="${path}" alt/>`)).toBe(place !== 'Desk');
      expect(text).toContain(`<span>Wholesale House</span><small>${place}</small>`);
    }
    expect(readable((await owner.get('/dashboard/help')).text)).toContain('How to reach Wholesale House');
  });

  it('is set by admins alone, and only as an upload made it', async () => {
    for (const role of ['packer', 'staff'] as const) {
      const person = await signInAtDesk(test, role);
      expect((await upload(WEBP, person)).status).toBe(403);
      expect((await person.post('/desk/settings/logo/set', { step: 'confirm' })).status).toBe(403);
    }
    expect((await upload(Buffer.from('<svg/>'))).text).toContain('no JPEG');
    const { text } = await upload(JPEG);
    await setLogo(WEBP);
    expect(readable((await confirm(text)).text)).toContain('in the meantime');
    const set = (logo: string) => admin.post('/desk/settings/logo/set', { logo, step: 'confirm' });
    expect((await set('0'.repeat(64))).status).toBe(404);
    const { rows } = await test.pool.query(
      `SELECT details ? 'logo' AS logo FROM audit_log WHERE action = 'house.changed' AND actor LIKE 'person %'`,
    );
    expect(rows).not.toHaveLength(0);
    expect(rows).toEqual(rows.map(() => ({ logo: true })));
  });
});
