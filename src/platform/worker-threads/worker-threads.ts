import type { Readable } from 'node:stream';
import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Leave, ONE_FILE_AT_A_TIME, Places, tooManyFiles } from '../limits/concurrency-limit.js';
import { Thread, type Work } from './thread.js';

/** The number of threads of this process. Each may use 256 MB. */
const THREADS = 2;

/**
 * Does work that would block the event loop, such as drawing or reading a workbook, in threads with a memory
 * limit. Each account has one task at a time, and accounts take turns. Memory holds only some pieces of a
 * result, however slow its reader. A reader that leaves ends the work. Throws `ThreadDied` if the thread
 * dies.
 */
@Injectable()
export class HeavyWork implements OnApplicationShutdown {
  private readonly places = new Places<string>(
    tooManyFiles,
    { ...ONE_FILE_AT_A_TIME, inAll: THREADS },
    tooManyFiles,
  );
  private readonly threads = new Set<Thread>();
  private readonly resting = new Set<Thread>();

  async *run<Piece>(account: string, work: Work): AsyncGenerator<Piece> {
    const { signal } = work;
    const reader = {
      get destroyed() {
        return signal?.aborted === true;
      },
    };
    const leave = await this.places.enter(account, reader);
    const pieces = this.begin(work, leave);
    try {
      yield* pieces as AsyncIterable<Piece>;
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.end()));
  }

  private begin(work: Work, leave: Leave): Readable {
    let thread: Thread | undefined;
    try {
      // A stream that is aborted from the start would never end its work.
      work.signal?.throwIfAborted();
      const begun = (thread = this.next());
      return begun.do(work, () => {
        if (this.threads.has(begun)) this.resting.add(begun);
        leave();
      });
    } catch (error) {
      // The system may have no memory for a thread, or the facts cannot be copied to it.
      void thread?.end();
      leave();
      throw error;
    }
  }

  private next(): Thread {
    const [rested] = this.resting;
    const thread: Thread =
      rested ?? new Thread(() => void (this.threads.delete(thread), this.resting.delete(thread)));
    this.resting.delete(thread);
    this.threads.add(thread);
    return thread;
  }
}

@Global()
@Module({ providers: [HeavyWork], exports: [HeavyWork] })
export class HeavyWorkModule {}
