// Lets plain Node run the sources, for what jest does not transform as modules: its global setup and child processes
// of tests (`node --import …/typescript-loader.js file.ts`).
import { register } from 'node:module';

register('./typescript-hooks.js', import.meta.url);
