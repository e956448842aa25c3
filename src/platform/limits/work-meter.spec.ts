import { setImmediate as turn } from 'node:timers/promises';
import { currentPayer, idleClock, loopWatch, resumeWork, workClock, workFor } from './work-meter.js';

describe('The work meter', () => {
  let now = 0;
  const real = workClock.now;
  beforeAll(() => void (workClock.now = () => now));
  afterAll(() => void (workClock.now = real));

  const payer = () => {
    const paid: number[] = [];
    return { paid, charge: (units: number) => void paid.push(units) };
  };

  it('charges a payer until its turn of the event loop ends, with all its promises', async () => {
    const one = payer();
    resumeWork(one);
    now += 10;
    await Promise.resolve().then(() => (now += 5));
    expect(currentPayer()).toBe(one);
    await turn();
    now += 1_000;
    expect(currentPayer()).toBeUndefined();
    expect(one.paid).toEqual([30]);
  });

  it('charges each of several payers for its own part of a turn', async () => {
    const [one, other] = [payer(), payer()];
    resumeWork(one);
    now += 1;
    workFor(other, () => (now += 2));
    now += 3;
    resumeWork(other);
    now += 4;
    workFor(undefined, () => (now += 100));
    await turn();
    expect([one.paid, other.paid]).toEqual([
      [2, 6],
      [4, 8, 0],
    ]);
  });

  it('stops the clock of those who wait while it measures', async () => {
    const before = idleClock();
    now += 7;
    workFor(payer(), () => (now += 50));
    expect(idleClock() - before).toBe(7);
    await turn();
  });

  it('reports a turn of more than 100 ms', async () => {
    const long: number[] = [];
    const { onLongTurn } = loopWatch;
    loopWatch.onLongTurn = (_, ms) => void long.push(ms);
    for (const ms of [100, 101]) workFor(payer(), () => (now += ms));
    await turn();
    loopWatch.onLongTurn = onLongTurn;
    expect(long).toEqual([101]);
  });
});
