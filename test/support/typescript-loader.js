// Lets plain Node run the sources: for Jest's global setup, for threads and processes of suites, and for Stryker
// (`node --import …/typescript-loader.js file.ts`).
import module from 'node:module';
import * as hooks from './typescript-hooks.js';

// Node 20 has only asynchronous hooks, which Node 26 removes.
if (module.registerHooks) module.registerHooks(hooks);
else module.register('./typescript-hooks.js', import.meta.url);
