import { Inject, Injectable } from '@nestjs/common';
import { DomainError, unavailable } from '../errors/domain-error.js';
import type { ApiRequest } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { Allowances } from './allowance.js';
import { currentPayer, resumeWork } from './work-meter.js';

/** With the reserved one fewer than a node’s connections to the database (10): one client never holds all. */
const MAX_CONCURRENT = 4;

/** A store that sends many requests at once waits; a flood is refused. */
const MAX_WAITING = 256;

/** Same limit as for a connection. Keeps the total answer time under 5 s. */
const MAX_WAIT_MS = 2_000;

interface Limits {
  /** Requests of one key that run at the same time. */
  perKey?: number;
  /** More requests of one key, if they are urgent. */
  reserved?: number;
  /** Requests of all keys together that run at the same time. */
  total?: number;
  /** Requests of one key that wait. */
  maxWaiting?: number;
  /** How long a request waits for its turn. */
  maxWaitMs?: number;
}

/** Releases the slot. A second call changes nothing. */
export type Release = () => void;

/** The response of a request that needs a slot. It is destroyed when the client is gone. */
interface Connection {
  readonly destroyed: boolean;
}

interface WaitingRequest {
  isUrgent: boolean;
  connection: Connection;
  timer: NodeJS.Timeout;
  resolve(release: Release): void;
  reject(error: DomainError): void;
}

interface KeyQueue {
  taken: number;
  waiting: Set<WaitingRequest>;
}

/**
 * Limits how many requests run at the same time, by a key: a client, a person, a network. Each key has its
 * own queue. Where keys share slots, their queues take turns, so a long queue does not delay a short one.
 */
export class ConcurrencyLimit<Key> {
  private readonly queues = new Map<Key, KeyQueue>();
  private readonly limits: Required<Limits>;
  private taken = 0;

  constructor(
    private readonly fullError: () => DomainError,
    limits: Limits = {},
    private readonly lateError: () => DomainError = unavailable,
  ) {
    this.limits = {
      perKey: MAX_CONCURRENT,
      reserved: 0,
      total: Infinity,
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      ...limits,
    };
  }

  /** Takes a slot, or waits for one. */
  acquire(key: Key, connection: Connection = STAYS_CONNECTED, isUrgent = false): Release | Promise<Release> {
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = { taken: 0, waiting: new Set() }));
    if (this.hasFreeSlot(queue, isUrgent)) return this.take(key, queue);
    return this.wait(key, queue, connection, isUrgent);
  }

  /** The work continues even if the client is gone. */
  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const release = await this.acquire(key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private async wait(key: Key, queue: KeyQueue, connection: Connection, isUrgent: boolean): Promise<Release> {
    if (queue.waiting.size >= this.limits.maxWaiting) throw this.fullError();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.waiting.delete(waiting);
        this.forgetIfUnused(key, queue);
        reject(this.lateError());
      }, this.limits.maxWaitMs).unref();
      const waiting: WaitingRequest = { isUrgent, connection, timer, resolve, reject };
      queue.waiting.add(waiting);
    });
  }

  private take(key: Key, queue: KeyQueue): Release {
    this.taken++;
    queue.taken++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.taken--;
      queue.taken--;
      this.admitNext(key);
      this.forgetIfUnused(key, queue);
    };
  }

  /** Where keys share no slots, only requests of the same key wait for this one. */
  private admitNext(freed: Key): void {
    const keys = this.limits.total === Infinity ? [freed] : [...this.queues.keys()];
    for (const key of keys) {
      const queue = this.queues.get(key)!;
      if (!this.hasFreeSlot(queue, true)) continue;
      const next = nextWaiting(queue, ({ isUrgent }) => this.hasFreeSlot(queue, isUrgent));
      if (!next) {
        this.forgetIfUnused(key, queue);
        continue;
      }
      // This key goes behind all others.
      this.queues.delete(key);
      this.queues.set(key, queue);
      next.resolve(this.take(key, queue));
      return;
    }
  }

  private hasFreeSlot(queue: KeyQueue, isUrgent: boolean): boolean {
    const { perKey, reserved, total } = this.limits;
    return queue.taken < perKey + (isUrgent ? reserved : 0) && this.taken < total;
  }

  private forgetIfUnused(key: Key, queue: KeyQueue): void {
    if (queue.taken === 0 && queue.waiting.size === 0) this.queues.delete(key);
  }
}

const STAYS_CONNECTED: Connection = { destroyed: false };

/** For work that ends with a signal instead of a response. */
export const connectedUntil = (signal?: AbortSignal): Connection => ({
  get destroyed() {
    return signal?.aborted === true;
  },
});

/** The first waiting request that has a slot and whose client is still there. */
function nextWaiting(
  { waiting }: KeyQueue,
  hasSlot: (next: WaitingRequest) => boolean,
): WaitingRequest | undefined {
  for (const next of waiting) {
    if (!hasSlot(next)) continue;
    waiting.delete(next);
    clearTimeout(next.timer);
    if (!next.connection.destroyed) return next;
    next.reject(new DomainError('malformed_request', 'The client went away before its turn came.'));
  }
  return undefined;
}

/** The limit of one account. Browsers wait five minutes for an answer. */
export const ONE_FILE_AT_A_TIME = { perKey: 1, maxWaiting: 8, maxWaitMs: 240_000 };

export function tooManyFiles(): DomainError {
  return new DomainError(
    'rate_limited',
    'Other files of yours are not ready yet, or the service is busy with files. Try again in a minute.',
    { retryAfterSeconds: 60 },
  );
}

/**
 * For files that read many rows, by account: a client with all its people, or a person of the desk. Each
 * holds a connection to the database until it is made.
 */
@Injectable()
export class FileQueue extends ConcurrencyLimit<string> {
  constructor() {
    super(tooManyFiles, { ...ONE_FILE_AT_A_TIME, total: MAX_CONCURRENT }, tooManyFiles);
  }

  /** Waits for the turn of a file. It leaves the queue when it is made, or its client is gone. */
  async enter(
    account: string,
    request: Pick<ApiRequest, 'leaveQueue'>,
    response: TimedResponse,
  ): Promise<void> {
    const leaveQueue = await this.acquire(account, response);
    request.leaveQueue = leaveQueue;
    response.once('close', leaveQueue);
    if (response.destroyed) leaveQueue();
  }
}

@Injectable()
export class PersonLimit extends ConcurrencyLimit<number> {
  constructor() {
    super(() => tooManyAtOnce('Too many of your pages are waiting. Open fewer at once.'));
  }
}

/**
 * The limit of requests without a token or a known session, by network. All networks together have as many
 * slots as one client.
 */
@Injectable()
export class AnonymousLimit extends ConcurrencyLimit<string> {
  private readonly allowances: Allowances<string>;

  constructor(@Inject(SETTINGS) { rateLimitPerMinute }: Settings) {
    super(() => tooManyAtOnce('Too many requests are waiting here. Try again in a moment.'), {
      total: MAX_CONCURRENT,
    });
    this.allowances = new Allowances(rateLimitPerMinute);
  }

  /** The network pays for what follows, and waits while it owes more than it has. */
  override async acquire(network: string, connection?: Connection): Promise<Release> {
    const now = performance.now();
    const allowance = this.allowances.of(network, now);
    if (allowance?.hasDebt(now)) {
      const message = 'Requests from your network took too much work. Try again later.';
      throw new DomainError('rate_limited', message, { retryAfterSeconds: allowance.secondsUntilNext });
    }
    const payer = {
      ...currentPayer(),
      charge: (units: number) => allowance?.charge(units, performance.now()),
    };
    const release = await super.acquire(network, connection);
    resumeWork(payer);
    return release;
  }
}

export function tooManyAtOnce(
  message = 'Too many requests of this client are waiting. Send fewer at once.',
): DomainError {
  return new DomainError('rate_limited', message, { retryAfterSeconds: 1 });
}
