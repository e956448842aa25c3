import { endEverything } from '../suite-end.js';
import { watchBorrowing } from '../test-pool.js';

// Runs for every suite, because modules are loaded once for many suites.
let takeBack: () => void;

beforeEach(() => {
  takeBack = watchBorrowing();
});
afterEach(() => takeBack());
afterAll(endEverything);
