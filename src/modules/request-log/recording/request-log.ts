import { Inject, Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../../platform/jobs/background-job.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { type ApiRequest, isRead } from '../../../platform/http/api-request.js';
import type { TimedResponse } from '../../../platform/http/app-messages.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { HourQuota } from '../rules/hour-quota.js';
import { bytesOf, isDemanded, type KeptRequest, keptRequest } from './kept-request.js';
import { hourOf, outcomeOf, RequestCounts, testRoute } from './request-counts.js';
import { type LogBatch, RequestLogRepository } from './request-log.repository.js';

/** A node that is killed, or loses its database while it writes, loses the requests of this time. */
const INTERVAL_MS = 2_000;

/** Counts of reads change all the time; writing them more often would load the database. */
const READS_INTERVAL_MS = 60_000;

/** Limits of unwritten requests and counts in the memory of a node. */
export const MAX_UNWRITTEN = { requests: 2_000, counts: 100_000 } as const;

/** The size of one transaction. */
const AT_ONCE = { requests: 500, counts: 2_000 };

/**
 * The log of the stores' requests: writes, refusals and errors one by one, all requests as counts by hour,
 * route and outcome. Requests are recorded in memory when the answer is sent, so no request waits for the
 * log or fails with it.
 */
@Injectable()
export class RequestLog extends BackgroundJob {
  /** Counts for the metrics. */
  readonly outcomes = { kept: 0, left_out: 0, lost: 0 };
  override readonly counted = {
    name: 'store_requests_total',
    help: 'Writes, refusals and errors of stores: kept, only counted, or lost.',
    counts: this.outcomes,
  };
  private readonly isOn: boolean;
  private readonly counts = new RequestCounts(MAX_UNWRITTEN.counts);
  private requests: KeptRequest[] = [];
  /** Quotas of the current hour by client. */
  private readonly quotas = new Map<number, HourQuota>();
  private quotasHour = 0;
  /** Batches that may not be written yet. */
  private batches: LogBatch[] = [];
  private readsTakenAt = performance.now();

  constructor(
    private readonly repository: RequestLogRepository,
    @Inject(SETTINGS) { requestLogDays }: Settings,
  ) {
    super('request_log', INTERVAL_MS);
    this.isOn = requestLogDays > 0;
  }

  /** Runs with every answer. Nearly all are successful reads, which are only counted. */
  answered(response: TimedResponse, route: string, milliseconds: number): void {
    const request = response.req as ApiRequest;
    const { holder } = request;
    if (!holder || !this.isOn) return;
    const { statusCode: status } = response;
    const at = Date.now();
    if (status >= 400 || !isRead(request)) this.note(request, response, { at, route, status, milliseconds });
    else if (!this.counts.read(holder.client.id, hourOf(at), keptRoute(holder, route))) this.outcomes.lost++;
  }

  /** Writes all recorded requests and counts, with counts of reads. */
  writeAll(): Promise<void> {
    this.readsTakenAt = Number.NEGATIVE_INFINITY;
    return this.runSoon();
  }

  /** Takes no new batches while the database is unavailable: the memory is limited. */
  async run(): Promise<void> {
    await this.writeTaken();
    this.batches = this.take();
    await this.writeTaken();
  }

  protected override finish(): Promise<void> {
    this.readsTakenAt = Number.NEGATIVE_INFINITY;
    return this.run();
  }

  private note(
    request: ApiRequest,
    response: TimedResponse,
    answer: { at: number; route: string; status: number; milliseconds: number },
  ): void {
    const { at, status } = answer;
    const clientId = request.holder!.client.id;
    const route = keptRoute(request.holder!, answer.route);
    const counted = isDemanded(request) ? Math.min(status, 499) : status;
    const outcome = outcomeOf(request.method, route, counted, request.failure?.code);
    const count = this.counts.other(clientId, hourOf(at), outcome);
    if (!count) return void this.outcomes.lost++;
    const quota = this.quotaOf(clientId, hourOf(at));
    if (this.requests.length < MAX_UNWRITTEN.requests && quota.hasSpace(outcome)) {
      const location = response.getHeader('Location');
      const kept = { ...keptRequest(request, { ...answer, location }), route };
      if (quota.admits(outcome, bytesOf(kept))) {
        count.kept++;
        this.requests.push(kept);
        return;
      }
    }
    count.leftOut++;
    this.outcomes.left_out++;
  }

  private quotaOf(clientId: number, hour: number): HourQuota {
    if (hour !== this.quotasHour) this.quotas.clear();
    this.quotasHour = hour;
    let quota = this.quotas.get(clientId);
    if (!quota) this.quotas.set(clientId, (quota = new HourQuota()));
    return quota;
  }

  private take(): LogBatch[] {
    const requests = inParts(this.requests, AT_ONCE.requests);
    this.requests = [];
    const counts = this.counts.takeOthers();
    const now = performance.now();
    if (now - this.readsTakenAt >= READS_INTERVAL_MS) {
      this.readsTakenAt = now;
      counts.push(...this.counts.takeReads());
    }
    return [
      ...requests.map((part) => ({ requests: part, counts: [] })),
      ...inParts(counts, AT_ONCE.counts).map((part) => ({ requests: [], counts: part })),
    ];
  }

  private async writeTaken(): Promise<void> {
    for (let batch = this.batches[0]; batch; batch = this.batches[0]) {
      await this.writeBatch(batch);
      this.batches.shift();
    }
  }

  private async writeBatch(batch: LogBatch): Promise<void> {
    try {
      await this.repository.write(batch);
      this.outcomes.kept += batch.requests.length;
    } catch (error) {
      const isRetried = !batch.isSent && error instanceof DomainError && error.code === 'unavailable';
      if (isRetried) throw error;
      // A retry could write the batch twice, or fail for ever and hold up all later batches.
      this.outcomes.lost += batch.counts.reduce((sum, { requests }) => sum + requests, batch.requests.length);
      this.logger.error(
        'Requests of stores could not be logged',
        error instanceof Error ? error.stack : String(error),
      );
    }
  }
}

function keptRoute({ token }: NonNullable<ApiRequest['holder']>, route: string): string {
  return token.kind === 'test' ? testRoute(route) : route;
}

function inParts<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
}
