import { Logger } from '@nestjs/common';
import { UnpaidLimit } from './unpaid-limit.js';

const LIMITS = { orders: 10_000, value: 100_000 };

describe('The limit of what is unpaid', () => {
  it('tells the operator once an hour who is near, however often he comes and goes', () => {
    const limit = new UnpaidLimit();
    const lines: string[] = [];
    Logger.overrideLogger({
      warn: (line: string) => lines.push(line),
      log: () => undefined,
      error: () => undefined,
    });
    try {
      for (let n = 0; n < 10; n++) {
        limit.check(7, { unpaid: { orders: 0, value: 80_000 }, limits: LIMITS }, 500);
        limit.check(7, { unpaid: { orders: 0, value: 0 }, limits: LIMITS }, 500);
      }
    } finally {
      Logger.overrideLogger(true);
    }
    expect(lines).toEqual([expect.stringContaining('Client 7 is near the limit')]);
  });
});
