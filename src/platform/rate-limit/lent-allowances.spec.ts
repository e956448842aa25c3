import fc from 'fast-check';
import type { Spent } from '../workers/worker-messages.js';
import { LentAllowances } from './lent-allowances.js';
import { Purse } from './purse.js';

const MINUTE = 60_000;
const TOKEN = 7;

/** Some workers and the process that lends to them, with a clock and lines that deliver when they are told to. */
class Company {
  now = 0;
  readonly allowances: LentAllowances;
  readonly purses: Purse[];
  granted = 0;
  refused = 0;
  private readonly onTheirWay: (() => void)[] = [];

  constructor(
    readonly perMinute: number,
    workers: number,
  ) {
    this.allowances = new LentAllowances(perMinute);
    this.purses = Array.from({ length: workers }, (_, worker) => this.purseOf(worker));
  }

  request(worker: number): void {
    const answer = this.purses[worker]!.take(this.now);
    if (typeof answer === 'boolean') this.count(answer);
    else void answer.then((granted) => this.count(granted));
  }

  /** The oldest message arrives. */
  deliver(): void {
    this.onTheirWay.shift()?.();
  }

  /** All do, and what follows from them. */
  async settle(): Promise<void> {
    while (this.onTheirWay.length > 0) {
      this.deliver();
      await Promise.resolve();
    }
    await Promise.resolve();
  }

  async requests(worker: number, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      this.request(worker);
      await this.settle();
    }
  }

  private purseOf(worker: number): Purse {
    const purse: Purse = new Purse(TOKEN, this.perMinute, 0, (spent: Spent) => {
      this.onTheirWay.push(() => {
        const [[, wanted, granted, left] = [TOKEN, 0, 0, 0]] = this.allowances.settle(
          worker,
          [spent],
          this.now,
        );
        this.onTheirWay.push(() => purse.receive(wanted, granted, left, this.now));
      });
    });
    return purse;
  }

  private count(granted: boolean): void {
    if (granted) this.granted++;
    else this.refused++;
  }
}

describe('a limit that several workers share', () => {
  it('is exactly one limit where it is small', async () => {
    const company = new Company(5, 3);
    for (let n = 0; n < 9; n++) await company.requests(n % 3, 1);
    expect(company).toMatchObject({ granted: 5, refused: 4 });
    company.now = MINUTE / 5;
    await company.requests(0, 1);
    await company.requests(1, 1);
    expect(company).toMatchObject({ granted: 6, refused: 5 });
  });

  it('is granted to one of them but for what the others hold in advance, a hundredth each', async () => {
    const company = new Company(10_000, 3);
    await company.requests(1, 1);
    await company.requests(2, 1);
    await company.requests(0, 10_000);
    expect(company.granted).toBe(10_000 - 2 * 100);
  });

  it('is whole again when they have given back what they did not use', async () => {
    const company = new Company(10_000, 3);
    await company.requests(1, 1);
    company.purses[1]!.returnAll();
    await company.settle();
    await company.requests(0, 10_000);
    expect(company.granted).toBe(10_000);
  });

  it('asks for more before it is used up, and not for every request', async () => {
    const told: Spent[] = [];
    const allowances = new LentAllowances(12_000);
    const purse: Purse = new Purse(TOKEN, 12_000, 0, (spent) => {
      told.push(spent);
      for (const [, wanted, granted, left] of allowances.settle(1, [spent], 0))
        purse.receive(wanted, granted, left, 0);
    });
    const answers = Array.from({ length: 1_000 }, () => purse.take(0));
    expect(answers.filter((answer) => answer !== true)).toHaveLength(1);
    expect(told.length).toBeLessThan(1_000 / 50);
  });

  it('tells each what is left in all, but for what was not told yet', async () => {
    const company = new Company(10_000, 2);
    await company.requests(0, 60);
    await company.requests(1, 1);
    expect(company.purses[1]!.remaining).toBeGreaterThan(10_000 - 61 - 1);
    expect(company.purses[1]!.remaining).toBeLessThanOrEqual(10_000 - 1);
    company.purses[0]!.refresh();
    company.purses[1]!.charge(0);
    await company.settle();
    company.purses[1]!.charge(1);
    company.purses[1]!.refresh();
    await company.settle();
    expect(company.purses[1]!.remaining).toBe(10_000 - 62);
  });

  it('has what one request cost too much be made good by all', async () => {
    const company = new Company(600, 2);
    await company.requests(0, 1);
    company.purses[0]!.charge(899);
    await company.settle();
    await company.requests(1, 1);
    expect(company).toMatchObject({ granted: 1, refused: 1 });
    expect(company.purses[1]!.secondsUntilNext).toBe(31);
    company.now = 30_200;
    await company.requests(1, 3);
    expect(company).toMatchObject({ granted: 3, refused: 2 });
  });

  it('keeps its place in a worker while what was granted may still be charged', async () => {
    const company = new Company(60, 1);
    await company.requests(0, 1);
    company.purses[0]!.refresh();
    await company.settle();
    expect(company.purses[0]!.isFull(MINUTE)).toBe(false);
    expect(company.purses[0]!.isFull(MINUTE + 1)).toBe(true);
  });

  it('counts what a worker held that died as spent, until it has grown again', async () => {
    const company = new Company(10_000, 2);
    await company.requests(0, 1);
    company.allowances.forget(0);
    await company.requests(1, 10_000);
    expect(company.granted).toBe(1 + 10_000 - 101);
    company.now = MINUTE;
    await company.requests(1, 10_000);
    expect(company.granted).toBe(1 + 10_000 - 101 + 10_000);
  });

  it('does not fill up over the brim while a part of it has been lent for long', async () => {
    const company = new Company(10_000, 2);
    await company.requests(0, 1);
    company.purses[0]!.refresh();
    await company.settle();
    company.now = 10 * MINUTE;
    await company.requests(1, 10_000);
    await company.requests(0, 200);
    expect(company.granted).toBe(1 + 10_000);
  });

  it('is never exceeded, whatever is asked for in which order, given back, and late to arrive', async () => {
    const WORKERS = 3;
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ requests: fc.nat(40), worker: fc.nat(WORKERS - 1) }) },
      { weight: 8, arbitrary: fc.record({ deliver: fc.nat(10) }) },
      { weight: 2, arbitrary: fc.record({ passes: fc.nat(2_000) }) },
      { weight: 1, arbitrary: fc.record({ refreshes: fc.nat(WORKERS - 1) }) },
      { weight: 1, arbitrary: fc.record({ returns: fc.nat(WORKERS - 1) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 5, 60, 300, 2_000),
        fc.array(step, { maxLength: 80 }),
        async (perMinute, steps) => {
          const company = new Company(perMinute, WORKERS);
          for (const each of steps) {
            if ('requests' in each) {
              for (let n = 0; n < each.requests; n++) company.request(each.worker);
            } else if ('deliver' in each) {
              for (let n = 0; n < each.deliver; n++) company.deliver();
            } else if ('passes' in each) {
              company.now += each.passes;
            } else if ('refreshes' in each) {
              company.purses[each.refreshes]!.refresh();
            } else if (company.purses[each.returns]!.isIdleSince(Number.POSITIVE_INFINITY)) {
              company.purses[each.returns]!.returnAll();
            }
            await Promise.resolve();
            const grown = (company.now / MINUTE) * perMinute;
            expect(company.granted).toBeLessThanOrEqual(perMinute + grown + 1e-6);
          }
          await company.settle();
          expect(company.granted).toBeLessThanOrEqual(perMinute + (company.now / MINUTE) * perMinute + 1e-6);
        },
      ),
    );
  });

  it('remembers what a client owes for as long as it owes it', () => {
    const allowances = new LentAllowances(60);
    allowances.settle(1, [[TOKEN, 300, 0, true]], 1);
    allowances.settle(1, [[TOKEN + 1, 0, 1, true]], MINUTE + 2);
    expect(allowances.settle(1, [[TOKEN, 0, 1, false]], MINUTE + 2)).toEqual([
      [TOKEN, 1, 0, expect.any(Number)],
    ]);
  });
});
