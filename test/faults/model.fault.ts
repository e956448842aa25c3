import fc from 'fast-check';
import { sequences } from '../support/model/commands.js';
import { WalletBooks } from '../../src/modules/payments/wallet-books.repository.js';
import { World } from '../support/model/world.js';
import { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';
import { printFigures } from '../support/print-figures.js';
import { StubRazorpay } from '../support/stub-razorpay.js';
import { expectSameAsFresh } from '../support/same-as-fresh.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const RUNS = Number(process.env.MODEL_RUNS ?? 180);

describe('Any sequence', () => {
  let razorpay: StubRazorpay;
  let test: TestApp;

  beforeAll(async () => {
    razorpay = await StubRazorpay.start();
    const paymentGateway = { name: 'razorpay' as const, apiUrl: razorpay.url, ...razorpay.keys };
    test = await startTestApp({
      rateLimitPerMinute: 0,
      unpaidValueLimit: 0,
      unpaidOrdersLimit: 0,
      paymentGateway,
    });
    await test.fixtures.seller({ receiptVouchers: true });
  });
  afterAll(async () => {
    await test.close();
    await razorpay.close();
  });

  it.each(Object.entries(sequences))(
    '%s leaves the service as a simple model predicts',
    async (of, { first, stock: stocks, actions }) => {
      let steps = 0;
      let received = 0;
      await fc.assert(
        fc.asyncProperty(first, actions, stocks, async (begin, sequence, stock) => {
          const { world, model } = await World.create(test, razorpay, stock);
          steps += [...sequence].length;
          for (const command of begin) await command.run(model, world);
          await fc.asyncModelRun(() => ({ model, real: world }), sequence);
          const returns = model.orders.flatMap((order) => order.returns);
          received += returns.filter(({ state }) => state.endsWith('received')).length;
        }),
        { numRuns: RUNS, endOnFailure: false },
      );
      await expectSameAsFresh(test.app.get(SnapshotService), test.database.serviceUrl);
      expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
      printFigures(`model ${of}`, { runs: RUNS, steps, 'received returns': received });
    },
  );
});
