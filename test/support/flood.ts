import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

interface FloodedRequest {
  urls: string[];
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  connections: number;
}

/** A client that sends requests without a pause, in a thread of its own: what it reads must not hold up whoever measures. */
export class Flood {
  private readonly worker: Worker;

  constructor(request: FloodedRequest) {
    this.worker = new Worker(new URL('flood-worker.js', import.meta.url), { workerData: request });
  }

  /** How many answers of each status there were. */
  async end(): Promise<Record<string, number>> {
    this.worker.postMessage('end', []);
    const [answers] = (await once(this.worker, 'message')) as [Record<string, number>];
    await this.worker.terminate();
    return answers;
  }
}
