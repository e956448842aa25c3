import { secondsToNextTry } from './mail-sender.service.js';

describe('secondsToNextTry', () => {
  it('doubles from half a minute to three hours', () => {
    const waits = Array.from({ length: 12 }, (_, index) => secondsToNextTry(index + 1));
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 10_800, 10_800, 10_800]);
  });

  it('never ends, however often it was tried', () => {
    expect(secondsToNextTry(10_000)).toBe(10_800);
  });
});
