import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { PrimaryLine } from '../../platform/workers/primary-line.js';
import { Metrics } from './metrics.js';
import { openMetricsServer } from './open-metrics-server.js';

/** Tells the metrics to whoever asks at their port; a worker tells the process that started it, which does that for all. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private server: Server | undefined;

  constructor(
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Optional() private readonly line?: PrimaryLine,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.metricsPort === undefined) return;
    if (this.line) return this.tellTo(this.line);
    this.metrics.register();
    this.server = await openMetricsServer(
      this.settings,
      () => this.metrics.text(),
      (error) => this.couldNotTell(error),
    );
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  private tellTo(line: PrimaryLine): void {
    this.metrics.register({ worker: String(line.worker) });
    line.on('tellMetrics', ({ question, withCounts }) => {
      this.metrics.objects(withCounts).then(
        (metrics) => line.tell('metrics', { question, metrics }),
        (error: unknown) => this.couldNotTell(error),
      );
    });
  }

  private couldNotTell(error: unknown): void {
    this.logger.error('The metrics could not be told', error instanceof Error ? error.stack : String(error));
  }
}
