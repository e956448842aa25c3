import { EventEmitter, once } from 'node:events';
import type { MessageOf, Orders, Reports, WorkerTask } from './worker-messages.js';

type Heard = { [Name in keyof Orders]: [Orders[Name]] } & { closed: [] };

/** A worker's line to the first process, which started it and tells it what to do. */
export class PrimaryLine extends EventEmitter<Heard> {
  private task: WorkerTask | undefined;

  constructor() {
    super();
    process.on('message', ({ name, value }: MessageOf<Orders>) => (this as EventEmitter).emit(name, value));
    process.once('disconnect', () => this.emit('closed'));
  }

  /** The first thing that is heard. */
  async begun(): Promise<WorkerTask> {
    const begun = once(this, 'begin') as Promise<[WorkerTask]>;
    this.tell('hears', true);
    const [task] = await begun;
    return (this.task = task);
  }

  get worker(): number | undefined {
    return this.task?.number;
  }

  tell<Name extends keyof Reports>(name: Name, value: Reports[Name]): void {
    // Where nobody listens any more nothing is lost: the end of the line is heard of by itself.
    process.send?.({ name, value }, undefined, undefined, () => undefined);
  }
}
