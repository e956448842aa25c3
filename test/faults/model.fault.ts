import fc from 'fast-check';
import { commands } from '../support/model/commands.js';
import { World } from '../support/model/world.js';
import { printFigures } from '../support/print-figures.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const RUNS = 1_000;

/** Given again to repeat what a run found: MODEL_SEED=… */
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

describe('Whatever is done in whatever order', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ rateLimitPerMinute: 0, unpaidValueLimit: 0, unpaidOrdersLimit: 0 });
  });
  afterAll(() => test.close());

  it(`leaves the service in the state that a plain model predicts, in ${RUNS} runs`, async () => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(commands, fc.nat({ max: 8 }), async (sequence, stock) => {
        const { world, model } = await World.create(test, stock);
        steps += [...sequence].length;
        await fc.asyncModelRun(() => ({ model, real: world }), sequence);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: false },
    );
    printFigures('model', { runs: RUNS, steps, seed: SEED });
  });
});
