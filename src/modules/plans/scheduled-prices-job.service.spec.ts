import type { AuditLog } from '../audit/audit-log.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { ScheduledPricesJob } from './scheduled-prices-job.service.js';
import type { ScheduledPricesRepository } from './scheduled-prices.repository.js';

const BATCH_SIZE = 2;

/** Runs the job for a schedule of these prices. The first attempt at a changing price leaves it waiting. */
async function complete(prices: number[], changing: number[]): Promise<object[]> {
  const waiting = new Set(prices);
  const left = new Set(changing);
  const completed: object[] = [];
  const repository: Partial<ScheduledPricesRepository> = {
    isAnyDue: () => Promise.resolve(true),
    lockNext: () =>
      Promise.resolve(completed.length > 0 ? undefined : { id: 1, actor: 'test', isOver: false }),
    writeBatch: (_, __, after) => {
      const batch = [...waiting].filter((number) => number > after).slice(0, BATCH_SIZE);
      for (const number of batch) if (!left.delete(number)) waiting.delete(number);
      return Promise.resolve(batch.at(-1) ?? null);
    },
    outcome: () =>
      Promise.resolve({
        isRate: false,
        applied: prices.length - waiting.size,
        returned: 0,
        kept: 0,
        missed: waiting.size,
      }),
  };
  const transaction = {
    query: () => Promise.resolve([]),
    manager: { update: () => Promise.resolve() },
  } as unknown as Transaction;
  const database = {
    transaction: (work: (of: Transaction) => Promise<unknown>) => work(transaction),
  } as unknown as Database;
  const audit = {
    recordWithin: (_: Transaction, { details }: { details: object }) => {
      completed.push(details);
      return Promise.resolve();
    },
  } as unknown as AuditLog;
  await new ScheduledPricesJob(database, repository as ScheduledPricesRepository, audit).run();
  return completed;
}

describe('Scheduled prices', () => {
  it.each([
    ['none', []],
    ['the first of a batch', [1]],
    ['the last of all', [5]],
    ['one of each batch', [2, 3, 5]],
  ])('are all applied before the schedule is complete, if %s changes meanwhile', async (_, changing) => {
    expect(await complete([1, 2, 3, 4, 5], changing)).toEqual([{ prices: 5 }]);
  });
});
