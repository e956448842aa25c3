import { once } from 'node:events';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { PdfWriter } from '../../../src/shared/pdf/pdf-writer.js';
import { PackingLinesRepository } from '../../../src/modules/fulfilment/packing/packing-lines.repository.js';
import { WorkerThreads } from '../../../src/platform/worker-threads/worker-threads.js';
import type { Work } from '../../../src/platform/worker-threads/thread.js';
import type { Store } from '../../support/fixtures.js';
import { shared } from '../../support/heavy-tasks.js';
import { moveOrder } from '../../support/order-steps.js';
import { packCopies } from '../../support/pack-copies.js';
import { type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { withMethods } from '../../support/with-methods.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const TASK = import.meta.resolve('../../support/heavy-tasks.js');

const pagesOf = (file: Buffer) => file.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;

describe('A file that is drawn', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let store: Store;
  let viewer: SignedIn;
  let packer: SignedIn<DeskPerson>;
  let path: string;

  beforeAll(async () => {
    await test.fixtures.seller();
    store = await test.fixtures.store({ state: '29' });
    viewer = await signIn(test, store.clientId, 'viewer');
    packer = await signInAtDesk(test, 'packer');
    await test.fixtures.products([
      { sku: 'MUG', basePrice: '118.00', deliveryCharge: '0.00', stock: 100, hsn: '6912', gstRate: '18' },
    ]);
    await moveOrder(test, store, await placed(), 'pay', 'ship');
    const { rows } = await test.pool.query<{ number: string }>('SELECT number FROM tax_documents');
    path = `/api/documents/${rows[0]!.number}`;
  });

  const placed = () => test.place(store, [{ sku: 'MUG', quantity: 1 }]);

  /** Keeps a thread busy for the client of the store. Returns how it goes on. */
  function occupied(): () => Promise<void> {
    const gate = shared();
    const work = test.app
      .get(WorkerThreads)
      .run(`client ${store.clientId}`, { module: TASK, facts: { gate } });
    const done = work.next();
    return async () => {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      await done;
      await work.next();
    };
  }

  it('is never drawn in the thread of the requests', async () => {
    const { text } = PdfWriter.prototype;
    let drawn = 0;
    PdfWriter.prototype.text = function (this: PdfWriter, ...given) {
      drawn++;
      return text.apply(this, given);
    };
    try {
      for (const file of ['wallet/statement.pdf', 'invoices.zip', `invoices/${path.split('/').at(-1)}.pdf`])
        await viewer.get(`/dashboard/${file}`).expect(200);
      await test.get(store, path).expect(200);
    } finally {
      PdfWriter.prototype.text = text;
    }
    expect(drawn).toBe(0);
  });

  it('waits for other files of its client, while other requests and accounts are served', async () => {
    const goOn = occupied();
    let answered = 0;
    const count = () => answered++;
    // A client and a person have four places each, and waiting files hold none of them.
    const files = Array.from({ length: 4 }, () => [
      test.get(store, path).expect(200).then(count),
      viewer.get('/dashboard/wallet/statement.pdf').expect(200).then(count),
    ]).flat();
    await test.get(store, '/api/products/MUG/stock').expect(200);
    await test.get(store, '/api/orders').expect(200);
    await viewer.get('/dashboard/orders').expect(200);
    const list = await packCopies(test.pool, await placed(), 3);
    await packer.get(`/desk/packing/${list}/slips.pdf`).expect(200);
    expect(answered).toBe(0);
    await goOn();
    await Promise.all(files);
  });

  it('is refused at the end of a full queue', async () => {
    const goOn = occupied();
    const files = Array.from({ length: 9 }, () => test.get(store, path).then((answer) => answer));
    const first = await Promise.race(files);
    expect(first.status).toBe(429);
    expect(first.headers['retry-after']).toBe('60');
    await goOn();
    const statuses = (await Promise.all(files)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
  });

  it('is not drawn for a reader who left', async () => {
    const goOn = occupied();
    const heavy = test.app.get(WorkerThreads);
    let run!: typeof heavy.run;
    const requested = new Promise<Work>((resolve) => {
      run = async function* (_, work) {
        resolve(work);
        yield* WorkerThreads.prototype.run.call(heavy, _, work) as AsyncGenerator<never>;
      };
    });
    await withMethods(heavy, { run }, async () => {
      const leaving = new AbortController();
      const left = fetch(`${test.url}/dashboard/wallet/statement.pdf`, {
        headers: { Cookie: viewer.cookie },
        signal: leaving.signal,
      });
      const { signal } = await requested;
      leaving.abort();
      await expect(left).rejects.toThrow('aborted');
      if (!signal!.aborted) await once(signal!, 'abort');
    });
    await goOn();
  });

  it('is whole for 60 slips, which are read in pieces', async () => {
    const list = await packCopies(test.pool, await placed(), 60);
    const lines = test.app.get(PackingLinesRepository, { strict: false });
    const read: number[] = [];
    const findOrdersOnList: typeof lines.findOrdersOnList = (id, numbers) => {
      read.push(numbers.length);
      return PackingLinesRepository.prototype.findOrdersOnList.call(lines, id, numbers);
    };
    const { body } = await withMethods(lines, { findOrdersOnList }, () =>
      packer.get(`/desk/packing/${list}/slips.pdf`).buffer(true).expect(200),
    );
    expect(read).toEqual([25, 25, 10]);
    expect(pagesOf(body as Buffer)).toBe(60);
  });

  it('costs units of its client', async () => {
    const strict = await startTestApp({ rateLimitPerMinute: 1 }, test.database);
    try {
      const person = await signIn(strict, store.clientId, 'viewer');
      await person.get('/dashboard/wallet.csv').expect(200);
      const { headers } = await person.get('/dashboard/wallet/statement.pdf').expect(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await strict.close();
    }
  });
});
