import { contradictions, lostOrders } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import { setUpDatabase } from '../support/suite-database.js';
import { OrderLoad } from '../support/order-load.js';
import { percentile, printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';

const KILLS = 20;

describe('A service that is killed under a load of orders', () => {
  const database = setUpDatabase();

  it('loses no confirmed order, doubles none and leaves no extra hold, in 20 kills', async () => {
    const store = await database.fixtures.store();
    const skus = await Promise.all(
      Array.from({ length: 5 }, (_, n) => database.fixtures.product({ sku: `K-${n}`, stock: 1_000_000 })),
    );
    const environment = { DATABASE_URL: database.serviceUrl, RATE_LIMIT_PER_MINUTE: '0' };
    let service = await ServiceProcess.start(environment);
    const { url } = service;
    const load = new OrderLoad({
      url: () => url,
      store,
      items: (n) => [0, 1].map((step) => ({ sku: skus[(n + step) % 5]!.sku, quantity: 1 + (n % 3) })),
    });
    const seconds: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const goal = load.acknowledged.size + 40;
      await eventually(() => load.acknowledged.size > goal);
      await service.end();
      const killedAt = performance.now();
      service = await ServiceProcess.start({ ...environment, PORT: new URL(url).port });
      seconds.push((performance.now() - killedAt) / 1_000);
    }
    await load.stop();

    expect(await contradictions(database.pool)).toEqual([]);
    expect(await lostOrders(database.pool, store.clientId, load.acknowledged)).toEqual([]);
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS count FROM orders WHERE client_id = $1',
      [store.clientId],
    );
    expect(rows[0].count).toBe(load.acknowledged.size);
    printFigures('service killed', {
      times: KILLS,
      orders: load.acknowledged.size,
      'answers lost and found again': load.recovered,
      'seconds to ready, median': percentile(seconds, 0.5),
      'at most': Math.max(...seconds),
    });
  });
});
