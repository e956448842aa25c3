import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type LogLevel, LogOutput } from './log-output.js';
import { LineLimit } from './line-limit.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * One line for each request that matters, with nothing in it that the sender could choose but a well-formed request id. (nestjs-pino
 * makes its loggers before every request, whether it will have anything to tell or not: a stock check took half as long again.)
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

  /** Reads that went well are only counted, unless all is to be logged: they are nearly everything there is. */
  tell(request: ApiRequest, route: string, status: number, milliseconds: number): void {
    if (this.verbosity === 'off') return;
    if (this.verbosity === 'default' && status < 400 && READS.has(request.method)) return;
    const level = levelOf(status);
    const clientId = request.caller?.client.id ?? request.person?.clientId;
    const code = request.failure?.code;
    const isWanted = this.verbosity === 'all' && status < 400;
    if (!isWanted && !this.limit.admits({ level, clientId, route, status, code })) return;
    this.output.write(level, 'request', {
      request_id: request.id,
      client_id: clientId,
      person_id: request.person?.id,
      method: request.method,
      route,
      status,
      code,
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
