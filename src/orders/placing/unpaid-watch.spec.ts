import { Logger } from '@nestjs/common';
import { UnpaidWatch } from './unpaid-watch.js';

const LIMITS = { orders: 10_000, value: 100_000 };

describe('The watch over what is unpaid', () => {
  it('tells the operator once an hour who is near, however often he comes and goes', () => {
    const watch = new UnpaidWatch();
    const lines: string[] = [];
    Logger.overrideLogger({
      warn: (line: string) => lines.push(line),
      log: () => undefined,
      error: () => undefined,
    });
    try {
      for (let n = 0; n < 10; n++) {
        watch.see(7, { unpaid: { orders: 0, value: 80_000 }, limits: LIMITS });
        watch.see(7, { unpaid: { orders: 0, value: 0 }, limits: LIMITS });
      }
    } finally {
      Logger.overrideLogger(true);
    }
    expect(lines).toEqual([expect.stringContaining('Client 7 is near the limit')]);
  });
});
