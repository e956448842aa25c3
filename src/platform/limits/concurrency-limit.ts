import { Injectable } from '@nestjs/common';
import { DomainError, unavailable } from '../errors/domain-error.js';

/** Fewer than a node's connections to the database (10), so that one client never holds all of them. */
const PLACES = 4;

/** A store that sends many requests at once waits; a flood is refused. */
const MOST_WAITING = 256;

/** Same limit as for a connection. Keeps the total answer time under 5 s. */
const WAITS_MS = 2_000;

interface Most {
  /** Requests of one key that run at the same time. */
  atOnce?: number;
  /** Requests of all keys together that run at the same time. */
  inAll?: number;
  /** Requests of one key that wait. */
  waiting?: number;
  /** How long a request waits for its turn. */
  waitsMs?: number;
}

/** Releases the slot. A second call changes nothing. */
export type Leave = () => void;

/** The response of a request that needs a slot. It is destroyed when the client is gone. */
interface Client {
  readonly destroyed: boolean;
}

interface Waiting {
  client: Client;
  patience: NodeJS.Timeout;
  begin(leave: Leave): void;
  giveUp(error: DomainError): void;
}

interface Line {
  taken: number;
  waiting: Set<Waiting>;
}

/**
 * Limits how many requests run at the same time, by a key: a client, a person, a network. Each key has its
 * own queue. Where keys share slots, their queues take turns, so a long queue does not delay a short one.
 */
export class Places<Key> {
  private readonly lines = new Map<Key, Line>();
  private readonly most: Required<Most>;
  private taken = 0;

  constructor(
    /** The error when the queue is full. */
    private readonly full: () => DomainError,
    most: Most = {},
    /** The error after waiting too long. */
    private readonly late: () => DomainError = unavailable,
  ) {
    this.most = { atOnce: PLACES, inAll: Infinity, waiting: MOST_WAITING, waitsMs: WAITS_MS, ...most };
  }

  /** Takes a slot, or waits for one. */
  enter(key: Key, client: Client = STAYS): Leave | Promise<Leave> {
    let line = this.lines.get(key);
    if (!line) this.lines.set(key, (line = { taken: 0, waiting: new Set() }));
    if (this.hasRoom(line)) return this.take(key, line);
    return this.wait(key, line, client);
  }

  /** The work continues even if the client is gone. */
  async within<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(key);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  private async wait(key: Key, line: Line, client: Client): Promise<Leave> {
    if (line.waiting.size >= this.most.waiting) throw this.full();
    return new Promise((begin, giveUp) => {
      const patience = setTimeout(() => {
        line.waiting.delete(waiting);
        this.forgetIfUnused(key, line);
        giveUp(this.late());
      }, this.most.waitsMs).unref();
      const waiting: Waiting = { client, patience, begin, giveUp };
      line.waiting.add(waiting);
    });
  }

  private take(key: Key, line: Line): Leave {
    this.taken++;
    line.taken++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.taken--;
      line.taken--;
      this.admitNext(key);
      this.forgetIfUnused(key, line);
    };
  }

  /** Where keys share no slots, only requests of the same key wait for this one. */
  private admitNext(freed: Key): void {
    const keys = this.most.inAll === Infinity ? [freed] : [...this.lines.keys()];
    for (const key of keys) {
      const line = this.lines.get(key)!;
      if (!this.hasRoom(line)) continue;
      const next = nextIn(line);
      if (!next) {
        this.forgetIfUnused(key, line);
        continue;
      }
      // This key goes behind all others.
      this.lines.delete(key);
      this.lines.set(key, line);
      next.begin(this.take(key, line));
      return;
    }
  }

  private hasRoom(line: Line): boolean {
    return line.taken < this.most.atOnce && this.taken < this.most.inAll;
  }

  private forgetIfUnused(key: Key, line: Line): void {
    if (line.taken === 0 && line.waiting.size === 0) this.lines.delete(key);
  }
}

const STAYS: Client = { destroyed: false };

/** The first waiting request whose client is still there. */
function nextIn({ waiting }: Line): Waiting | undefined {
  for (const next of waiting) {
    waiting.delete(next);
    clearTimeout(next.patience);
    if (!next.client.destroyed) return next;
    next.giveUp(new DomainError('malformed_request', 'The client went away before its turn came.'));
  }
  return undefined;
}

/** The limit of one account. Browsers wait five minutes for an answer. */
export const ONE_FILE_AT_A_TIME = { atOnce: 1, waiting: 8, waitsMs: 240_000 };

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
export class FileQueue extends Places<string> {
  constructor() {
    super(tooManyFiles, { ...ONE_FILE_AT_A_TIME, inAll: PLACES }, tooManyFiles);
  }
}

/** The limit of each signed-in person, by id. */
@Injectable()
export class PersonPlaces extends Places<number> {
  constructor() {
    super(() => tooManyAtOnce('Too many of your pages are waiting. Open fewer at once.'));
  }
}

/**
 * The limit of requests without a token or a known session, by network. All networks together have as many
 * slots as one client.
 */
@Injectable()
export class StrangerPlaces extends Places<string> {
  constructor() {
    super(() => tooManyAtOnce('Too many requests are waiting here. Try again in a moment.'), {
      inAll: PLACES,
    });
  }
}

export function tooManyAtOnce(
  message = 'Too many requests of this client are waiting. Send fewer at once.',
): DomainError {
  return new DomainError('rate_limited', message, { retryAfterSeconds: 1 });
}
