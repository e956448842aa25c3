import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import type { Settings } from '../../platform/settings/settings.js';

/** `/metrics` on a port of its own, which callers of the API cannot reach. */
export async function openMetricsServer(
  { metricsPort, metricsHost }: Settings,
  readMetrics: () => Promise<string>,
  onFailure: (error: unknown) => void,
): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response, readMetrics).catch((error: unknown) => {
      onFailure(error);
      response.writeHead(500).end();
    });
  });
  server.listen(metricsPort, metricsHost);
  await once(server, 'listening');
  return server.on('error', onFailure);
}

async function answer(
  { url }: IncomingMessage,
  response: ServerResponse,
  readMetrics: () => Promise<string>,
): Promise<void> {
  const isMetrics = url?.split('?', 1)[0] === '/metrics';
  const text = isMetrics ? await readMetrics() : 'See /metrics.\n';
  response.writeHead(isMetrics ? 200 : 404, {
    'Content-Type': isMetrics ? Registry.PROMETHEUS_CONTENT_TYPE : 'text/plain',
  });
  response.end(text);
}
