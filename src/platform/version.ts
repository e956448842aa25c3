import { readFileSync } from 'node:fs';
import { PACKAGE } from './package-folder.js';

/** The version of the service, such as "1.0.0". */
export const VERSION = (
  JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8')) as { version: string }
).version;
