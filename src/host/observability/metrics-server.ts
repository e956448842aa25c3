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
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { Metrics } from './metrics.js';

/** `/metrics` on a port of its own, which is not reachable for those who may call the API. */
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
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.listen(metricsPort, metricsHost);
    await once(this.server, 'listening');
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  private async answer({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const found = url?.split('?', 1)[0] === '/metrics';
      const text = found ? await this.metrics.text() : 'See /metrics.\n';
      response.writeHead(found ? 200 : 404, {
        'Content-Type': found ? this.metrics.contentType : 'text/plain',
      });
      response.end(text);
    } catch (error) {
      this.logger.error(
        'The metrics could not be told',
        error instanceof Error ? error.stack : String(error),
      );
      response.writeHead(500).end();
    }
  }
}
