import { Inject, Injectable } from '@nestjs/common';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { MOST_WAITING, REQUEST_LOG_LIMITS } from '../request-log-limits.js';
import { HourRoom } from '../rules/hour-room.js';
import { bytesOf, type KeptRequest, keptRequest } from './kept-request.js';
import { isRead, outcomeOf } from './outcome.js';
import { type Count, hourOf, RequestCounts } from './request-counts.js';

/**
 * What the stores' requests did, for those whose stores they are: writes, refusals and errors one by one, and all of them by hour, route and
 * outcome. Noted in memory when the answer leaves, so that no request waits for it or fails with it; `RequestLogWriter` writes it down.
 */
@Injectable()
export class RequestLog {
  /** For the metrics: of those left out their hour knows how many there were, of those lost nobody but this. */
  readonly outcomes = { kept: 0, left_out: 0, lost: 0 };
  private readonly isOn: boolean;
  private readonly counts = new RequestCounts(MOST_WAITING.counts);
  private requests: KeptRequest[] = [];
  /** What this node kept of this hour, by client: none of them takes all the room there is in memory. */
  private readonly rooms = new Map<number, HourRoom>();
  private roomsHour = 0;

  constructor(@Inject(SETTINGS) { requestLogDays }: Settings) {
    this.isOn = requestLogDays > 0;
  }

  /** It runs with every answer. Nearly all are of reads that went well, which cost a few look-ups. */
  answered(response: TimedResponse, route: string, milliseconds: number): void {
    const request = response.req as ApiRequest;
    const { holder, method } = request;
    if (!holder || !this.isOn) return;
    const { statusCode: status } = response;
    const at = Date.now();
    if (status >= 400 || !isRead(method)) this.note(request, response, { at, route, status, milliseconds });
    else if (!this.counts.read(holder.client.id, hourOf(at), route)) this.outcomes.lost++;
  }

  takeRequests(): KeptRequest[] {
    const taken = this.requests;
    this.requests = [];
    return taken;
  }

  /** Of all but the reads that went well. */
  takeCounts(): Count[] {
    return this.counts.takeOthers();
  }

  takeReadCounts(): Count[] {
    return this.counts.takeReads();
  }

  private note(
    request: ApiRequest,
    response: TimedResponse,
    answer: { at: number; route: string; status: number; milliseconds: number },
  ): void {
    const { at, route, status } = answer;
    const clientId = request.holder!.client.id;
    const outcome = outcomeOf(request.method, route, status, request.failure?.code);
    const count = this.counts.other(clientId, hourOf(at), outcome);
    if (!count) return void this.outcomes.lost++;
    const room = this.roomOf(clientId, hourOf(at));
    if (this.requests.length >= MOST_WAITING.requests || !room.hasRoom(outcome)) return this.leaveOut(count);
    const kept = keptRequest(request, { ...answer, location: response.getHeader('Location') });
    if (!room.admits(outcome, bytesOf(kept))) return this.leaveOut(count);
    this.requests.push(kept);
  }

  private leaveOut(count: Count): void {
    count.leftOut++;
    this.outcomes.left_out++;
  }

  private roomOf(clientId: number, hour: number): HourRoom {
    if (hour !== this.roomsHour) this.rooms.clear();
    this.roomsHour = hour;
    let room = this.rooms.get(clientId);
    if (!room) this.rooms.set(clientId, (room = new HourRoom(REQUEST_LOG_LIMITS)));
    return room;
  }
}
