import * as fc from 'fast-check';
import { endEverything } from './suite-end.js';
import { watchBorrowing } from './test-pool.js';

// Random tests take the same samples in every run: what fails was changed. SEED=… takes others.
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });

let takeBack: () => void;

beforeEach(() => {
  takeBack = watchBorrowing();
});
afterEach(() => takeBack());
afterAll(endEverything);
