import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../platform/settings/settings.js';

/** A worker that dies at every start must not keep the machine busy. */
const PAUSE_MS = 1_000;

/** A client has four slots in each worker, and must not have all connections. */
const MIN_CONNECTIONS = 5;

const ENTRY = fileURLToPath(new URL('../../worker.js', import.meta.url));

/** One of the processes. Its replacement has the same number. */
interface Member {
  number: number;
  isListening: boolean;
}

/** How a process ended. If it could not start, it has no pid, and `signal` is the system's error. */
export interface WorkerEnd {
  number: number;
  pid: number | undefined;
  code: number | null;
  signal: string | null;
}

interface Events {
  listening: [];
  /** A replacement starts. */
  died: [WorkerEnd];
  /** No worker is left, and the next could not start either. */
  hopeless: [WorkerEnd];
  /** No worker is left after `stop`. */
  empty: [];
}

/** Keeps this many processes serving. */
export class Workers extends EventEmitter<Events> {
  private readonly members = new Map<Worker, Member>();
  private stopping = false;
  private endedBadly = false;

  constructor(readonly count: number) {
    super();
    cluster.setupPrimary({ exec: ENTRY, args: [] });
  }

  /** The first starts alone: if its environment is wrong, the error is printed once. */
  beginFirst(): void {
    this.begin(1);
  }

  beginOthers(): void {
    for (let number = 2; number <= this.count; number++) this.begin(number);
  }

  get listeningCount(): number {
    return [...this.members.values()].filter(({ isListening }) => isListening).length;
  }

  /** Whether all workers that stopped ended without an error. */
  get allInOrder(): boolean {
    return !this.endedBadly;
  }

  /** Stops each worker after this many seconds; a second call stops them at once. None is replaced. */
  stop(drainSeconds: number): void {
    this.stopping = true;
    for (const [worker, { isListening }] of this.members) {
      // A failed send means that the worker is about to end.
      worker.send(drainSeconds, () => undefined);
      // It reads no message before it has started.
      if (!isListening) worker.process.kill('SIGTERM');
    }
    if (this.members.size === 0) this.emit('empty');
  }

  kill(): void {
    for (const { process } of this.members.keys()) process.kill('SIGKILL');
  }

  private begin(number: number): void {
    if (this.stopping) return;
    const member = { number, isListening: false };
    let worker: Worker;
    try {
      worker = cluster.fork({ WORKER: String(number) });
    } catch (error) {
      // There may be no memory for another process now.
      return this.ended(member, notStarted(number, error as NodeJS.ErrnoException));
    }
    this.members.set(worker, member);
    worker.on('listening', () => {
      member.isListening = true;
      this.emit('listening');
    });
    const end = (how: WorkerEnd) => this.members.delete(worker) && this.ended(member, how);
    worker.on('exit', (code, signal) => end({ number, pid: worker.process.pid, code, signal }));
    // A process that never started has no exit event.
    worker.on('error', (error) => worker.process.pid === undefined && end(notStarted(number, error)));
  }

  private ended(member: Member, end: WorkerEnd): void {
    if (this.stopping) {
      this.endedBadly ||= member.isListening && end.code !== 0;
      if (this.members.size === 0) this.emit('empty');
    } else if (!member.isListening && this.members.size === 0) {
      this.emit('hopeless', end);
    } else {
      this.emit('died', end);
      this.replace(member);
    }
  }

  private replace({ number }: Member): void {
    setTimeout(() => this.begin(number), PAUSE_MS);
  }
}

function notStarted(number: number, { code, message }: NodeJS.ErrnoException): WorkerEnd {
  return { number, pid: undefined, code: null, signal: code ?? message };
}

/** All workers together have as many connections and units as one process, or a few more. */
export function shareOf(settings: Settings): Settings {
  const { databasePoolSize: all, rateLimitPerMinute, workers } = settings;
  const connections = Math.max(Math.ceil(all / workers), MIN_CONNECTIONS);
  return {
    ...settings,
    databasePoolSize: Math.min(all, connections),
    rateLimitPerMinute: Math.ceil(rateLimitPerMinute / workers),
  };
}
