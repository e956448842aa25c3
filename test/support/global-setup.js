import './typescript-loader.js';

/** Jest would load a TypeScript setup as CommonJS, which the sources are not. */
export default async function globalSetup() {
  const { prepareTestServer } = await import('./test-server.ts');
  globalThis.removeTestServer = await prepareTestServer();
}
