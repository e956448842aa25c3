/** Runs a task one at a time. Calls during a run share the next run. */
export class CoalescedTask {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves after a run that began after this call. */
  run(): Promise<void> {
    if (this.next) return this.next;
    if (!this.running) return this.begin();
    const begin = () => this.begin();
    this.next = this.running.then(begin, begin);
    return this.next;
  }

  /** Resolves when nothing runs or waits, also after failures. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.running, this.next]);
  }

  private begin(): Promise<void> {
    this.next = undefined;
    this.running = this.work().finally(() => (this.running = undefined));
    return this.running;
  }
}
