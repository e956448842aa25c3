import './typescript-loader.js';

/** Jest would load a TypeScript setup as CommonJS, which the sources are not. */
export default async function globalSetup({ maxWorkers }) {
  const { prepareTestServers } = await import('./test-server.ts');
  globalThis.removeTestServers = await prepareTestServers(maxWorkers);
}
