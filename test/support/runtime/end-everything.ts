import { endEverything } from '../in-the-end.js';

// For every suite, whose modules are loaded once for many.
afterAll(endEverything);
