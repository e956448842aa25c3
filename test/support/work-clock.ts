import { workClock } from '../../src/platform/limits/work-meter.js';

let now = 0;

/** From now on work takes no time, so a request costs one unit on any machine. */
export function stopWorkClock(): void {
  workClock.now = () => now;
}

/** The work that runs now takes this long. */
export function work(ms: number): void {
  now += ms;
}
