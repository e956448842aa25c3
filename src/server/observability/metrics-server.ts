import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Registry } from 'prom-client';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { Metrics } from './metrics.js';

/** `/metrics` on a port of its own, which callers of the API cannot reach. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private server: Server | undefined;

  constructor(
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, metricsHost } = this.settings;
    if (metricsPort === undefined) return;
    this.metrics.register();
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        this.logFailure(error);
        response.writeHead(500).end();
      });
    });
    this.server.listen(metricsPort, metricsHost);
    await once(this.server, 'listening');
    this.server.on('error', (error) => this.logFailure(error));
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  private async answer({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const isMetrics = url?.split('?', 1)[0] === '/metrics';
    const text = isMetrics ? await this.metrics.text() : 'See /metrics.\n';
    response.writeHead(isMetrics ? 200 : 404, {
      'Content-Type': isMetrics ? Registry.PROMETHEUS_CONTENT_TYPE : 'text/plain',
    });
    response.end(text);
  }

  private logFailure(error: unknown): void {
    this.logger.error(
      'The metrics could not be served',
      error instanceof Error ? error.stack : String(error),
    );
  }
}
