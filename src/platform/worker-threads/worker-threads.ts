import type { Readable } from 'node:stream';
import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Release,
  ONE_FILE_AT_A_TIME,
  ConcurrencyLimit,
  connectedUntil,
  tooManyFiles,
} from '../limits/concurrency-limit.js';
import { currentPayer, resumeWork, UNIT, workClock } from '../limits/work-meter.js';
import { Thread, type Work } from './thread.js';

/** The number of threads of this process. Each may use 256 MB. */
const THREADS = 2;

/**
 * Does work that would block the event loop, such as drawing or reading a workbook, in threads with a memory
 * limit. Each account has one task at a time, and accounts take turns. Memory holds only some pieces of a
 * result. A person's connection reads them from `spooled`, so that it keeps no thread from others. A reader
 * that leaves ends the work. Throws `ThreadDied` if the thread dies.
 */
@Injectable()
export class WorkerThreads implements OnApplicationShutdown {
  private readonly limit = new ConcurrencyLimit<string>(
    tooManyFiles,
    { ...ONE_FILE_AT_A_TIME, total: THREADS },
    tooManyFiles,
  );
  private readonly threads = new Set<Thread>();
  private readonly idle = new Set<Thread>();

  async *run<Piece>(account: string, work: Work): AsyncGenerator<Piece> {
    const { signal } = work;
    const payer = currentPayer();
    const release = await this.limit.acquire(account, connectedUntil(signal));
    const startedAt = workClock.now();
    const pieces = this.start(work, () => {
      payer?.charge((workClock.now() - startedAt) / UNIT.threadMs);
      release();
    });
    try {
      for await (const piece of pieces as AsyncIterable<Piece>) {
        resumeWork(payer);
        yield piece;
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.end()));
  }

  private start(work: Work, release: Release): Readable {
    let thread: Thread | undefined;
    try {
      // A stream that is aborted from the start would never end its work.
      work.signal?.throwIfAborted();
      const started = (thread = this.takeThread());
      return started.do(work, () => {
        if (this.threads.has(started)) this.idle.add(started);
        release();
      });
    } catch (error) {
      // The system may have no memory for a thread, or the facts cannot be copied to it.
      void thread?.end();
      release();
      throw error;
    }
  }

  private takeThread(): Thread {
    const [idleThread] = this.idle;
    const thread: Thread =
      idleThread ?? new Thread(() => void (this.threads.delete(thread), this.idle.delete(thread)));
    this.idle.delete(thread);
    this.threads.add(thread);
    return thread;
  }
}

@Global()
@Module({ providers: [WorkerThreads], exports: [WorkerThreads] })
export class WorkerThreadsModule {}
