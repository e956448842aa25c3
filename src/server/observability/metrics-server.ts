import type { Server } from 'node:http';
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
import { openMetricsServer } from './open-metrics-server.js';

/** Serves the metrics on a port of their own. A worker passes them to the process that started it. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private server: Server | undefined;

  constructor(
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, worker } = this.settings;
    if (metricsPort === undefined) return;
    this.metrics.register(worker);
    if (worker !== undefined) return;
    this.server = await openMetricsServer(
      this.settings,
      () => this.metrics.text(),
      (error) => this.logFailure(error),
    );
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  private logFailure(error: unknown): void {
    this.logger.error(
      'The metrics could not be served',
      error instanceof Error ? error.stack : String(error),
    );
  }
}
