/** Work that takes this long waits for a lock that only it needs. */
const HELD_UP_MS = 250;

/** The default pool has connections for all of them. */
const MOST_HELD_UP = 2;

/** Limits how much work runs at a time. Up to two delayed works do not count, so that others continue. */
export class Lanes {
  private underWay = 0;
  private heldUp = 0;

  constructor(
    private readonly count: number,
    /** Starts waiting work while there is room. */
    private readonly goOn: () => void,
  ) {}

  get areFull(): boolean {
    return this.underWay - Math.min(this.heldUp, MOST_HELD_UP) >= this.count;
  }

  /** Returns the function that ends the work and starts the next. */
  begin(): () => void {
    this.underWay++;
    let isHeldUp = false;
    const patience = setTimeout(() => {
      isHeldUp = true;
      this.heldUp++;
      this.goOn();
    }, HELD_UP_MS);
    return () => {
      clearTimeout(patience);
      if (isHeldUp) this.heldUp--;
      this.underWay--;
      this.goOn();
    };
  }
}
