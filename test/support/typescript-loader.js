// Lets plain Node run the sources: for Jest (see runtime/), its global setup, child processes and threads of tests
// (`node --import …/typescript-loader.js file.ts`). `npm test` names it, because threads inherit only options.
import module from 'node:module';
import * as hooks from './typescript-hooks.js';

// Node 20 has only asynchronous hooks, which Node 26 removes.
if (module.registerHooks) module.registerHooks(hooks);
else module.register('./typescript-hooks.js', import.meta.url);
