/** Work that a node does again and again: one run at a time, each so long after the one before it has ended. */
export class Repetition {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(
    private readonly intervalMs: number,
    private readonly work: () => Promise<unknown>,
    /** A run that fails is told of, and is followed by the next one like any other. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(): void {
    this.schedule(this.intervalMs);
  }

  /** Without waiting for the next turn. */
  soon(): void {
    if (this.running) this.again = true;
    else this.schedule(0);
  }

  /** Resolves when the run that is under way has ended, and no other will begin. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => (this.running = this.run()), delayMs);
    this.timer.unref();
  }

  private async run(): Promise<void> {
    this.again = false;
    await this.work().catch(this.onFailure);
    this.running = undefined;
    this.schedule(this.again ? 0 : this.intervalMs);
  }
}
