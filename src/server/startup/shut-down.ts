import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Readiness } from '../health.controller.js';
import type { FastExpressAdapter } from '../../platform/http/express-adapter.js';
import type { Settings } from '../../platform/settings/settings.js';
import type { OpenDatabase } from './prepare-database.js';
import { printLine } from './announce.js';

/** The last part of the grace period is for closing the database; all connections are cut before it. */
const LEAVING_SHARE = 0.25;

/** The very last part is for the database itself, even if background work hangs. */
const DATABASE_SHARE = 0.125;

const NOT_IN_ORDER = 'Stopped, but the database could not be left in order.';

/** Stops a serving app. The process ends after the grace period, even if something hangs. */
export class Shutdown {
  private readonly hurry = new AbortController();
  private readonly graceMs: number;
  private started = false;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly database: OpenDatabase,
    { shutdownGraceSeconds }: Settings,
    private readonly report = printLine,
  ) {
    this.graceMs = shutdownGraceSeconds * 1_000;
  }

  get isUnderWay(): boolean {
    return this.started;
  }

  begin(drainSeconds: number): void {
    if (this.started) return;
    this.started = true;
    void this.run(drainSeconds * 1_000);
  }

  hurryUp(): void {
    this.hurry.abort();
  }

  private async run(drainMs: number): Promise<void> {
    setTimeout(() => endProcess(1, this.report, NOT_IN_ORDER), this.graceMs);
    const late = pause(this.graceMs * (1 - DATABASE_SHARE), true);
    try {
      await this.stopServing(drainMs);
      const isLate = await Promise.race([late, this.app.close()]);
      await this.database.close();
      if (isLate) endProcess(1, this.report, NOT_IN_ORDER);
      else endProcess(0, this.report, 'Stopped.');
    } catch (error) {
      endProcess(
        1,
        printLine,
        `Stopped, but not in order: ${error instanceof Error ? error.stack : String(error)}`,
      );
    }
  }

  /** Reports not ready, drains, answers requests in flight, and then cuts the rest. */
  private async stopServing(drainMs: number): Promise<void> {
    this.report('Stopping: requests in flight are being answered.');
    const { app, hurry } = this;
    const server = app.getHttpServer();
    const cut = () => server.closeAllConnections();
    const cutter = setTimeout(cut, this.graceMs * (1 - LEAVING_SHARE));
    app.get(Readiness).stop();
    (app.getHttpAdapter() as unknown as FastExpressAdapter).drain();
    await Promise.race([pause(drainMs), once(hurry.signal, 'abort')]);
    if (hurry.signal.aborted) cut();
    else hurry.signal.addEventListener('abort', cut);
    // First the connections that wait to be accepted: the kernel would reset them.
    await nextTurn();
    await stopListening(server);
    clearTimeout(cutter);
  }
}

/** Not in this turn: the log writes its lines at the end of one, and the last job may have just failed. */
function endProcess(code: number, report: (line: string) => void, lastWords: string): void {
  setImmediate(() => {
    report(lastWords);
    process.exit(code);
  });
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
