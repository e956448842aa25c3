import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { ClientOrdersService } from '../../../src/modules/orders/records/client-orders.service.js';
import { FileQueue } from '../../../src/platform/limits/concurrency-limit.js';
import { SnapshotService } from '../../../src/read-model/snapshot/snapshot.service.js';
import type { Store } from '../../support/fixtures.js';
import { type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';
import { withMethods } from '../../support/with-methods.js';

const FILE = '/dashboard/orders.csv';

describe('The files of a client', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let store: Store;
  let buyer: SignedIn;
  let viewer: SignedIn;

  beforeEach(async () => {
    store = await test.fixtures.store();
    buyer = await signIn(test, store.clientId, 'buyer');
    viewer = await signIn(test, store.clientId, 'viewer');
  });

  /** The place of a file that is not made yet. */
  const occupied = () => test.app.get(FileQueue).acquire(`client ${store.clientId}`);

  it('are made one at a time for all its people, while pages and other accounts are served', async () => {
    const leave = await occupied();
    let answered = 0;
    // A person has four places, and waiting files hold none of them.
    const files = [buyer, viewer].flatMap((person) =>
      ['orders.csv', 'wallet.csv', 'catalog.csv', 'invoices.zip'].map((name) =>
        person
          .get(`/dashboard/${name}`)
          .expect(200)
          .then(() => answered++),
      ),
    );
    await buyer.get('/dashboard/orders').expect(200);
    await viewer.get('/dashboard/wallet/statement.pdf').expect(200);
    await test.get(store, '/api/products').expect(200);
    const other = await test.fixtures.store();
    await (await signIn(test, other.clientId, 'viewer')).get(FILE).expect(200);
    await (await signInAtDesk(test, 'staff')).get('/desk/orders/orders.csv').expect(200);
    expect(answered).toBe(0);
    leave();
    await Promise.all(files);
  });

  it('are refused at the end of a full queue, with the time to wait', async () => {
    const leave = await occupied();
    const files = Array.from({ length: 9 }, () => viewer.get(FILE).then((answer) => answer));
    const { status, headers, text } = await Promise.race(files);
    expect([status, headers['retry-after']]).toEqual([429, '60']);
    expect(text).toContain('Other files of yours are not ready yet');
    leave();
    const statuses = (await Promise.all(files)).map((answer) => answer.status);
    expect(statuses.filter((each) => each === 200)).toHaveLength(8);
  });

  it('give their place back when they fail or their reader leaves', async () => {
    const places = test.app.get(FileQueue);
    await viewer.get('/dashboard/invoices.zip?month=x');
    const leave = await places.acquire(`client ${store.clientId}`);
    const leaving = new AbortController();
    const left = fetch(test.url + FILE, { headers: { Cookie: viewer.cookie }, signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    leave();
    await buyer.get(FILE).expect(200);
  });

  it('are not made for a reader who left while the access was checked', async () => {
    const [snapshot, orders] = [test.app.get(SnapshotService), test.app.get(ClientOrdersService)];
    const leaving = new AbortController();
    let made = 0;
    let response!: ServerResponse;
    (test.app.getHttpServer() as Server).once('request', (_, each: ServerResponse) => (response = each));
    const file: typeof orders.file = async function* (...given) {
      made++;
      yield* ClientOrdersService.prototype.file.apply(orders, given) as AsyncGenerator<never>;
    };
    await withMethods(orders, { file }, async () => {
      let pendingRefreshOf!: typeof snapshot.pendingRefreshOf;
      const answered = new Promise<void>((resolve) => {
        pendingRefreshOf = async () => {
          leaving.abort();
          if (!response.destroyed) await once(response, 'close');
          setImmediate(resolve);
        };
      });
      await withMethods(snapshot, { pendingRefreshOf }, async () => {
        const left = fetch(test.url + FILE, { headers: { Cookie: viewer.cookie }, signal: leaving.signal });
        await expect(left).rejects.toThrow('aborted');
        await answered;
      });
      await buyer.get(FILE).expect(200);
    });
    expect(made).toBe(1);
  });
});
