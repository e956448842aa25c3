import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { useMemoryAsTemporaryDirectory } from './in-memory.js';
import './typescript-loader.js';

/** Jest would load a TypeScript setup as CommonJS, but the sources are ES modules. */
export default async function globalSetup({ maxWorkers, rootDir }) {
  await useMemoryAsTemporaryDirectory();
  await import('../../scripts/link-libraries.mjs');
  const { prepareTestServers } = await import('./test-server.ts');
  // PostgreSQL starts during the build, unless TEST_SERVERS names running servers.
  const servers = process.env.TEST_SERVERS
    ? Promise.resolve(() => undefined)
    : prepareTestServers(maxWorkers);
  const [build] = await Promise.allSettled([buildIfStale(rootDir), servers]);
  globalThis.removeTestServers = await servers;
  if (build.status === 'fulfilled') return;
  await globalThis.removeTestServers();
  throw build.reason;
}

/** Suites start the built service and commands, so the build must not be older than the sources. */
async function buildIfStale(rootDir) {
  try {
    await promisify(execFile)(process.execPath, ['scripts/build-if-stale.mjs'], { cwd: rootDir });
  } catch (error) {
    throw new Error(`The build failed:\n${error.stdout}${error.stderr}`, { cause: error });
  }
}
