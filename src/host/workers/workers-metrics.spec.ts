import { EventEmitter } from 'node:events';
import type { Workers } from './workers.js';
import { WorkersMetrics } from './workers-metrics.js';

/** As many as a node may have, of which one ends instead of answering. */
class Members extends EventEmitter {
  readonly listening = Array.from({ length: 64 }, (_, at) => at + 1);
  mostListeners = 0;

  tell(id: number, _: string, { question }: { question: number }): void {
    this.mostListeners = Math.max(this.mostListeners, this.listenerCount('gone'));
    if (id === 64) setImmediate(() => this.emit('gone', id));
    else this.emit('metrics', id, { question, metrics: [] });
  }
}

describe('the metrics of all workers', () => {
  it('wait for none that is gone, and need no more listeners for more workers', async () => {
    const members = new Members();
    const metrics = new WorkersMetrics(members as unknown as Workers);
    expect(await metrics.text()).toContain('\nworkers 64\n');
    expect(members.mostListeners).toBe(1);
  });
});
