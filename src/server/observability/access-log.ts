import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ApiRequest, isRead } from '../../platform/http/api-request.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type LogLevel, LogOutput } from './log-output.js';

/**
 * One line for each important request. The sender controls nothing in it but a well-formed request id.
 * nestjs-pino creates a logger for every request, which made a stock check 50 % slower.
 */
@Injectable()
export class AccessLog implements OnApplicationShutdown {
  private readonly verbosity: Settings['accessLog'];
  private readonly limit: LineLimit;

  constructor(
    @Inject(SETTINGS) { accessLog }: Settings,
    private readonly output: LogOutput,
  ) {
    this.verbosity = accessLog;
    this.limit = new LineLimit(output);
  }

  /** Successful reads are only counted, unless all requests are logged. */
  logRequest(request: ApiRequest, route: string, status: number, milliseconds: number): void {
    if (this.verbosity === 'off') return;
    if (this.verbosity === 'default' && status < 400 && isRead(request)) return;
    const level = levelOf(status);
    const clientId = request.caller?.client.id ?? request.person?.clientId;
    const { code, reason } = request.failure ?? {};
    const isUnlimited = this.verbosity === 'all' && status < 400;
    if (!isUnlimited && !this.limit.admits(level, { client_id: clientId, route, status, code, reason }))
      return;
    this.output.write(level, 'request', {
      request_id: request.id,
      client_id: clientId,
      person_id: request.person?.id,
      key_id: request.adminKey?.id,
      method: request.method,
      route,
      status,
      code,
      reason,
      ms: Math.round(milliseconds * 100) / 100,
    });
  }

  onApplicationShutdown(): void {
    this.limit.endPeriod();
    this.output.flush();
  }
}

function levelOf(status: number): LogLevel {
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
}

const PERIOD_MS = 60_000;

/** Enough to see the problem, and more than a healthy store causes in a period. */
const LINES = 100;

/**
 * Limits how many equal lines the log gets in a period: same client, route and outcome. The others are
 * counted, so one client's noise hides no other client.
 */
class LineLimit {
  private readonly counts = new Map<string, { level: LogLevel; fields: object; lines: number }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly output: LogOutput) {}

  /** True if a line with these fields may be logged. An anonymous request has no client. */
  admits(level: LogLevel, fields: object): boolean {
    this.timer ??= setTimeout(() => this.endPeriod(), PERIOD_MS).unref();
    const key = JSON.stringify(fields);
    let count = this.counts.get(key);
    if (!count) this.counts.set(key, (count = { level, fields, lines: 0 }));
    return ++count.lines <= LINES;
  }

  /** Logs how many lines were left out, and starts a new period. */
  endPeriod(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { level, fields, lines } of this.counts.values())
      if (lines > LINES)
        this.output.write(level, 'requests_left_out', { ...fields, requests: lines - LINES });
    this.counts.clear();
  }
}
