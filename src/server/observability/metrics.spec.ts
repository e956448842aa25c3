import { mock } from 'node:test';
import { Logger } from '@nestjs/common';
import { type Counts, keptCounts } from './metrics.js';

const MINUTE = 60_000;

describe('the counts of the database for the metrics', () => {
  let now = 0;
  let counting: () => Promise<Counts>;
  let counted: number;

  beforeAll(() => {
    Logger.overrideLogger(false);
    mock.method(performance, 'now', () => now);
  });
  afterAll(() => mock.restoreAll());
  beforeEach(() => {
    counted = 0;
    counting = () => Promise.resolve({ all: ++counted });
  });

  const kept = () => keptCounts('orders', () => counting());

  it('are counted once a minute, at any number of scrapes', async () => {
    const readCounts = kept();
    expect([await readCounts(), await readCounts()]).toEqual([{ all: 1 }, { all: 1 }]);
    now += MINUTE - 1;
    expect(await readCounts()).toEqual({ all: 1 });
    now += 1;
    expect(await readCounts()).toEqual({ all: 2 });
  });

  it('are empty while the database is away, and are then counted again', async () => {
    const readCounts = kept();
    await readCounts();
    now += MINUTE;
    const there = counting;
    counting = () => Promise.reject(new Error('away'));
    expect(await readCounts()).toEqual({});
    counting = there;
    expect(await readCounts()).toEqual({ all: 2 });
  });
});
