import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { MessageOf, Orders, Reports } from '../../platform/workers/worker-messages.js';

/** Who dies younger than this may well do so again. */
const YOUNG_MS = 60_000;

/** Whose predecessor died young waits before it begins, each time twice as long. */
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

const ENTRY = fileURLToPath(new URL('../../worker.js', import.meta.url));

/** One of the processes. Who takes its place has its number, and an id of its own. */
interface Member {
  number: number;
  worker: Worker;
  begunAt: number;
  listening: boolean;
}

/** How a process ended. One that could not even be started has no id, and what the system said in place of a signal. */
export interface End {
  number: number;
  pid: number | undefined;
  code: number | null;
  signal: string | null;
}

type Happenings = { [Name in keyof Reports]: [id: number, Reports[Name]] } & {
  /** Another takes its place. */
  died: [End];
  /** Whoever it was, and why. */
  gone: [id: number];
  /** None is left, and the next could not begin either. */
  hopeless: [End];
  /** None is left, as it was asked for. */
  empty: [];
};

/** Keeps so many processes serving, and speaks with them. */
export class Workers extends EventEmitter<Happenings> {
  private readonly members = new Map<number, Member>();
  private readonly youngDeaths = new Map<number, number>();
  private readonly pauses = new Set<NodeJS.Timeout>();
  private stopping = false;
  private endedBadly = false;

  constructor(readonly count: number) {
    super();
    cluster.setupPrimary({ exec: ENTRY, args: [] });
    this.on('listening', (id) => (this.members.get(id)!.listening = true));
  }

  /** The first one alone: what is wrong with its surroundings is told by it, and once. */
  beginFirst(): void {
    this.begin(1, true);
  }

  beginOthers(): void {
    for (let number = 2; number <= this.count; number++) this.begin(number, false);
  }

  /** The ids of those that serve, by their numbers. */
  get listening(): number[] {
    const serving = [...this.members.values()].filter(({ listening }) => listening);
    return serving.toSorted((a, b) => a.number - b.number).map(({ worker }) => worker.id);
  }

  /** Whether each that stopped had left everything in order. */
  get allInOrder(): boolean {
    return !this.endedBadly;
  }

  tell<Name extends keyof Orders>(id: number, name: Name, value: Orders[Name]): void {
    // Who cannot be told is about to be heard of.
    this.members.get(id)?.worker.send({ name, value }, () => undefined);
  }

  tellAll<Name extends keyof Orders>(name: Name, value: Orders[Name]): void {
    for (const id of this.members.keys()) this.tell(id, name, value);
  }

  /** Nobody is replaced any more. */
  stop(drainSeconds: number): void {
    this.stopping = true;
    for (const pause of this.pauses) clearTimeout(pause);
    this.tellAll('stop', { drainSeconds });
    if (this.members.size === 0) this.emit('empty');
  }

  kill(): void {
    for (const { worker } of this.members.values()) worker.process.kill('SIGKILL');
  }

  private begin(number: number, isFirst: boolean): void {
    const worker = cluster.fork();
    const member = { number, worker, begunAt: performance.now(), listening: false };
    this.members.set(worker.id, member);
    worker.on('message', ({ name, value }: MessageOf<Reports>) => {
      // The end of a process may be heard of before its last words.
      if (this.members.has(worker.id)) (this as EventEmitter).emit(name, worker.id, value);
    });
    worker.once('message', () => {
      // It was forked before that was asked for.
      if (this.stopping) this.tell(worker.id, 'stop', { drainSeconds: 0 });
      else this.tell(worker.id, 'begin', { number, isFirst });
    });
    worker.on('exit', (code, signal) =>
      this.ended(member, { number, pid: worker.process.pid, code, signal }),
    );
    // There may be no room for another process at this moment. Of one that was never there no end is heard.
    worker.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (worker.process.pid === undefined)
        this.ended(member, { number, pid: undefined, code: null, signal: code ?? message });
    });
  }

  private ended(member: Member, end: End): void {
    this.members.delete(member.worker.id);
    this.emit('gone', member.worker.id);
    if (this.stopping) {
      this.endedBadly ||= member.listening && end.code !== 0;
      if (this.members.size === 0) this.emit('empty');
    } else if (!member.listening && this.members.size === 0) {
      this.emit('hopeless', end);
    } else {
      this.emit('died', end);
      this.replace(member);
    }
  }

  private replace({ number, begunAt }: Member): void {
    const deaths = performance.now() - begunAt < YOUNG_MS ? (this.youngDeaths.get(number) ?? 0) + 1 : 0;
    this.youngDeaths.set(number, deaths);
    if (deaths <= 1) return this.begin(number, false);
    const pause = setTimeout(
      () => {
        this.pauses.delete(pause);
        this.begin(number, false);
      },
      Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** (deaths - 2)),
    );
    this.pauses.add(pause);
  }
}
