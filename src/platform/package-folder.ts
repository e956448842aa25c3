import { existsSync } from 'node:fs';

/** The folder of the package. The build lies one folder deeper than the sources. */
export const PACKAGE = ['../../', '../../../']
  .map((up) => new URL(up, import.meta.url))
  .find((folder) => existsSync(new URL('examples/', folder)))!;
