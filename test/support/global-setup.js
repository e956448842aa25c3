import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { useMemoryAsTemporaryDirectory } from './in-memory.js';
import './typescript-loader.js';

/** Jest would load a TypeScript setup as CommonJS, which the sources are not. */
export default async function globalSetup({ maxWorkers, rootDir }) {
  await useMemoryAsTemporaryDirectory();
  await import('../../scripts/link-libraries.mjs');
  const { prepareTestServers } = await import('./test-server.ts');
  // PostgreSQL starts while the sources are built, unless whoever runs the suites again and again has started it.
  const servers = process.env.TEST_SERVERS
    ? Promise.resolve(() => undefined)
    : prepareTestServers(maxWorkers);
  const [build] = await Promise.allSettled([buildIfStale(rootDir), servers]);
  globalThis.removeTestServers = await servers;
  if (build.status === 'fulfilled') return;
  await globalThis.removeTestServers();
  throw build.reason;
}

/** Suites start the service and its commands as they are delivered: what is tested must not be older than the sources. */
async function buildIfStale(rootDir) {
  try {
    await promisify(execFile)(process.execPath, ['scripts/build-if-stale.mjs'], { cwd: rootDir });
  } catch (error) {
    throw new Error(`The build failed:\n${error.stdout}${error.stderr}`, { cause: error });
  }
}
