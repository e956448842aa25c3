import { Allowance } from './allowance.js';

const MINUTE = 60_000;

function takeAll(allowance: Allowance, now: number): number {
  let taken = 0;
  while (allowance.take(now)) taken++;
  return taken;
}

describe('an allowance', () => {
  it('grants a minute of requests at once, then refuses', () => {
    const allowance = new Allowance(600, 0);
    expect(takeAll(allowance, 0)).toBe(600);
    expect(allowance.remaining).toBe(0);
    expect(allowance.secondsUntilFull).toBe(60);
    expect(allowance.secondsUntilNext).toBe(1);
  });

  it('fills up evenly, up to its maximum', () => {
    const allowance = new Allowance(600, 0);
    takeAll(allowance, 0);
    expect(takeAll(allowance, MINUTE / 10)).toBe(60);
    expect(takeAll(allowance, MINUTE * 10)).toBe(600);
  });

  it('does not exceed its maximum after a refund', () => {
    const allowance = new Allowance(600, 0);
    allowance.take(0);
    expect(allowance.isFull(MINUTE)).toBe(true);
    allowance.giveBack();
    expect(allowance.remaining).toBe(600);
  });

  it('shows how long a rare request must wait', () => {
    const allowance = new Allowance(2, 0);
    takeAll(allowance, 0);
    expect(allowance.secondsUntilNext).toBe(30);
    expect(allowance.take(29_000)).toBe(false);
    expect(allowance.secondsUntilNext).toBe(1);
    expect(allowance.take(30_001)).toBe(true);
  });

  it('charges nothing for a refused request, and refunds one', () => {
    const allowance = new Allowance(1, 0);
    expect(allowance.take(0)).toBe(true);
    expect(allowance.take(0)).toBe(false);
    allowance.giveBack();
    expect(allowance.take(0)).toBe(true);
    allowance.giveBack();
    allowance.giveBack();
    expect(takeAll(allowance, 0)).toBe(1);
  });

  it('lets a request cost more than is left, and makes the next ones wait', () => {
    const allowance = new Allowance(600, 0);
    expect(allowance.take(0)).toBe(true);
    allowance.charge(899, 0);
    expect(allowance.remaining).toBe(0);
    expect(allowance.secondsUntilFull).toBe(90);
    expect(allowance.secondsUntilNext).toBe(31);
    expect(allowance.take(30_000)).toBe(false);
    expect(allowance.take(30_200)).toBe(true);
    expect(allowance.remaining).toBe(1);
  });

  it('bounds a debt to five minutes, from what is left when it comes', () => {
    const allowance = new Allowance(600, 0);
    takeAll(allowance, 0);
    allowance.charge(1_000_000, MINUTE);
    expect(allowance.secondsUntilNext).toBe(301);
    expect(allowance.hasDebt(6 * MINUTE - 1)).toBe(true);
    expect(allowance.hasDebt(6 * MINUTE)).toBe(false);
  });

  it('is full again after a minute', () => {
    const allowance = new Allowance(10, 0);
    allowance.take(0);
    expect(allowance.isFull(1_000)).toBe(false);
    expect(allowance.isFull(MINUTE)).toBe(true);
  });
});
