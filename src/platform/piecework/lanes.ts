/** Whoever takes so long waits for something that only it waits for. */
const HELD_UP_MS = 250;

/** A node has more connections than all of them take, unless it is told otherwise. */
const MOST_HELD_UP = 2;

/** So many works at a time. One that is held up does not count any more, so that others go on, as long as no more than two are. */
export class Lanes {
  private underWay = 0;
  private heldUp = 0;

  constructor(
    private readonly count: number,
    /** Begins what waits, as long as there is room. */
    private readonly goOn: () => void,
  ) {}

  get areFull(): boolean {
    return this.underWay - Math.min(this.heldUp, MOST_HELD_UP) >= this.count;
  }

  /** Gives back how the work is ended, with which the next one begins. */
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
