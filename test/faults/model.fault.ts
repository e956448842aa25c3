import fc from 'fast-check';
import { commands } from '../support/model/commands.js';
import { WalletBooksRepository } from '../../src/payments/wallet-books.repository.js';
import { World } from '../support/model/world.js';
import { printFigures } from '../support/print-figures.js';
import { StubRazorpay } from '../support/stub-razorpay.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const RUNS = Number(process.env.MODEL_RUNS ?? 600);

/** Repeats a failed run: MODEL_SEED=… */
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

describe('Any sequence of actions', () => {
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

  it(`leaves the service in the state that a simple model predicts, in ${RUNS} runs`, async () => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(commands, fc.nat({ max: 8 }), async (sequence, stock) => {
        const { world, model } = await World.create(test, razorpay, stock);
        steps += [...sequence].length;
        await fc.asyncModelRun(() => ({ model, real: world }), sequence);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: false },
    );
    expect(await test.app.get(WalletBooksRepository, { strict: false }).check()).toEqual([]);
    printFigures('model', { runs: RUNS, steps, seed: SEED });
  });
});
