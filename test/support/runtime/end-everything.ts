import { endEverything } from '../in-the-end.js';
import { watchBorrowing } from '../test-pool.js';

// For every suite, whose modules are loaded once for many.
let takeBack: () => void;

beforeEach(() => {
  takeBack = watchBorrowing();
});
afterEach(() => takeBack());
afterAll(endEverything);
