import { mock } from 'node:test';
import { Logger } from '@nestjs/common';
import { type Counts, keptCounts } from './metrics.js';

const MINUTE = 60_000;

describe('the counts of the database for the metrics', () => {
  let now = 0;
  let counting: () => Promise<Counts>;
  let asked: number;

  beforeAll(() => {
    Logger.overrideLogger(false);
    mock.method(performance, 'now', () => now);
  });
  afterAll(() => mock.restoreAll());
  beforeEach(() => {
    asked = 0;
    counting = () => Promise.resolve({ all: ++asked });
  });

  const kept = () => keptCounts('orders', () => counting());

  it('are counted once a minute, at any number of scrapes', async () => {
    const told = kept();
    expect([await told(), await told()]).toEqual([{ all: 1 }, { all: 1 }]);
    now += MINUTE - 1;
    expect(await told()).toEqual({ all: 1 });
    now += 1;
    expect(await told()).toEqual({ all: 2 });
  });

  it('are empty while the database is away, and are then counted again', async () => {
    const told = kept();
    await told();
    now += MINUTE;
    const there = counting;
    counting = () => Promise.reject(new Error('away'));
    expect(await told()).toEqual({});
    counting = there;
    expect(await told()).toEqual({ all: 2 });
  });
});
