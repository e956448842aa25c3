import { Logger } from '@nestjs/common';
import type { Company } from './standing.repository.js';
import { UnpaidLimit } from './unpaid-limit.js';

const CLIENT = 7;
const LIMITS = { orders: 10_000, value: 100_000 };

describe('The limit of what is unpaid', () => {
  let limit: UnpaidLimit;
  let begun: Company[];

  beforeEach(() => {
    limit = new UnpaidLimit();
    begun = [];
  });

  const place = (total: number, open = 0) =>
    limit.keep(CLIENT, (company) => {
      begun.push(company);
      const standing = { unpaid: { orders: 0, value: open }, limits: LIMITS, atOnce: 100 };
      return new Promise<void>((resolve) => resolve(limit.check(CLIENT, standing, total, company)));
    });

  const [small, large] = [500, 501];

  it('has orders placed side by side that stay within it a hundred at once', async () => {
    await place(small);
    expect(begun).toEqual(['together']);
  });

  it('begins a large order twice the first time, and not again because there was a small one', async () => {
    for (const total of [large, small, large, small, large]) await place(total);
    expect(begun).toEqual(['together', 'alone', 'alone', 'alone', 'alone', 'alone']);
  });

  it('has them side by side again after twenty small ones in a row', async () => {
    for (const total of [large, ...Array.from({ length: 19 }, () => small), large]) await place(total);
    expect(new Set(begun.slice(1))).toEqual(new Set(['alone']));
    for (let n = 0; n < 20; n++) await place(small);
    begun = [];
    await place(small);
    expect(begun).toEqual(['together']);
  });

  it('tells the operator once an hour who is near, however often he comes and goes', async () => {
    const lines: string[] = [];
    Logger.overrideLogger({
      warn: (line: string) => lines.push(line),
      log: () => undefined,
      error: () => undefined,
    });
    try {
      for (let n = 0; n < 10; n++) {
        await place(small, 80_000);
        await place(small);
      }
    } finally {
      Logger.overrideLogger(true);
    }
    expect(lines).toEqual([expect.stringContaining('Client 7 is near the limit')]);
  });
});
