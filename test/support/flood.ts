import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

interface FloodedRequest {
  urls: string[];
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  connections: number;
}

/**
 * A client that sends requests without a pause. It runs in its own thread, so that its reads do not delay the
 * measurement.
 */
export class Flood {
  private readonly worker: Worker;

  constructor(request: FloodedRequest) {
    this.worker = new Worker(new URL('flood-worker.js', import.meta.url), { workerData: request });
  }

  /** Returns the number of answers of each status. */
  async end(): Promise<Record<string, number>> {
    this.worker.postMessage('end', []);
    const [answers] = (await once(this.worker, 'message')) as [Record<string, number>];
    await this.worker.terminate();
    return answers;
  }
}
