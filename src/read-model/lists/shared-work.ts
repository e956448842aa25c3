/** Has what several ask for at the same time made once. */
export class SharedWork<Result> {
  private readonly underway = new Map<string, Promise<Result>>();

  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.underway.get(key);
    if (known) return known;
    const result = work().finally(() => this.underway.delete(key));
    this.underway.set(key, result);
    return result;
  }
}
