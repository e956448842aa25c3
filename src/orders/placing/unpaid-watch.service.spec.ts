import { Logger } from '@nestjs/common';
import { UnpaidWatchService } from './unpaid-watch.service.js';

const LIMITS = { orders: 10_000, value: 100_000 };

describe('The watch over unpaid orders', () => {
  let watch: UnpaidWatchService;
  let lines: string[];

  beforeEach(() => {
    watch = new UnpaidWatchService();
    lines = [];
    Logger.overrideLogger({
      warn: (line: string) => lines.push(line),
      log: () => undefined,
      error: () => undefined,
    });
  });
  afterEach(() => Logger.overrideLogger(true));

  const see = (clientId: number, value: number) =>
    watch.see(clientId, { unpaid: { orders: 0, value }, limits: LIMITS });

  it('reports a client near its limit at most once an hour', () => {
    for (let n = 0; n < 10; n++) {
      see(7, 80_000);
      see(7, 0);
    }
    expect(lines).toEqual([expect.stringContaining('Client 7 is near the limit')]);
  });

  it('reports each of two clients near their limits', () => {
    for (const clientId of [7, 8, 7, 8]) see(clientId, 80_000);
    expect(lines).toEqual([
      expect.stringContaining('Client 7 is near the limit'),
      expect.stringContaining('Client 8 is near the limit'),
    ]);
  });
});
