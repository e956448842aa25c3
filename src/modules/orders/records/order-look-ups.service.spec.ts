import { mock } from 'node:test';
import { unavailable } from '../../../platform/errors/domain-error.js';
import { OrderLookUpsService } from './order-look-ups.service.js';
import type { StoreOrder } from './order-view.js';
import type { OrderViewRepository } from './order-view.repository.js';

interface LookUpKey {
  clientId: number;
  number: string;
}

/** A statement whose answer the test releases. */
interface Statement {
  keys: readonly LookUpKey[];
  answer(): Promise<void>;
  fail(error: Error): Promise<void>;
}

describe('Order look-ups', () => {
  let statements: Statement[];
  let lookUps: OrderLookUpsService;

  beforeEach(() => {
    statements = [];
    lookUps = new OrderLookUpsService({ findEach } as unknown as OrderViewRepository);
  });

  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  let now: number;

  function stopTheClock(): void {
    now = 0;
    mock.method(performance, 'now', () => now);
    mock.timers.enable({ apis: ['setTimeout'] });
  }

  function advance(milliseconds: number): void {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  }

  function findEach(keys: readonly LookUpKey[]): Promise<(StoreOrder | undefined)[]> {
    return new Promise((resolve, reject) => {
      statements.push({
        keys: [...keys],
        answer: () => settled(() => resolve(keys.map(({ number }) => orderOf(number)))),
        fail: (error) => settled(() => reject(error)),
      });
    });
  }

  /** Records the outcome of a look-up. */
  function find(clientId: number, number: string) {
    const lookUp: { order?: StoreOrder | undefined; error?: { code?: string; message: string } } = {};
    lookUps.find(clientId, number).then(
      (order) => (lookUp.order = order),
      (error: Error) => (lookUp.error = error),
    );
    return lookUp;
  }

  const keysOf = (statement: Statement) =>
    statement.keys.map(({ clientId, number }) => `${clientId}:${number}`);

  it('query at once for the first, and together for those that arrive meanwhile', async () => {
    const lookUpResults = ['A', 'B', 'C', 'none'].map((number) => find(1, number));
    expect(statements.map(keysOf)).toEqual([['1:A']]);
    await statements[0]!.answer();
    expect(statements.map(keysOf)).toEqual([['1:A'], ['1:B', '1:C', '1:none']]);
    await statements[1]!.answer();
    expect(lookUpResults.map(({ order }) => order?.orderNumber)).toEqual(['A', 'B', 'C', undefined]);
    expect(statements).toHaveLength(2);
  });

  it('take turns among clients, at most 32 in one statement', async () => {
    find(1, 'A');
    for (let n = 0; n < 40; n++) find(2, `many-${n}`);
    find(3, 'few');
    await statements[0]!.answer();
    expect(statements[1]!.keys).toHaveLength(32);
    expect(keysOf(statements[1]!).slice(0, 3)).toEqual(['2:many-0', '3:few', '2:many-1']);
    await statements[1]!.answer();
    expect(statements[2]!.keys).toHaveLength(9);
  });

  it('report a failed statement only to the look-up that made it fail', async () => {
    const lookUpResults = ['A', 'B', 'bad', 'C', 'D'].map((number) => find(1, number));
    await statements[0]!.answer();
    for (let n = 1; n < statements.length; n++) {
      const statement = statements[n]!;
      if (keysOf(statement).includes('1:bad')) await statement.fail(new Error('gone'));
      else await statement.answer();
    }
    expect(statements.map(keysOf)).toEqual([
      ['1:A'],
      ['1:B', '1:bad', '1:C', '1:D'],
      ['1:B', '1:bad'],
      ['1:B'],
      ['1:bad'],
      ['1:C', '1:D'],
    ]);
    expect(lookUpResults.map(({ order, error }) => order?.orderNumber ?? error?.message)).toEqual([
      'A',
      'B',
      'gone',
      'C',
      'D',
    ]);
    find(1, 'E');
    expect(keysOf(statements.at(-1)!)).toEqual(['1:E']);
  });

  it('fail together, and once, while the database is away', async () => {
    const lookUpResults = ['A', 'B', 'C'].map((number) => find(1, number));
    await statements[0]!.answer();
    await statements[1]!.fail(unavailable());
    expect(lookUpResults.map(({ error }) => error?.code)).toEqual([undefined, 'unavailable', 'unavailable']);
    expect(statements).toHaveLength(2);
  });

  it('continue beside a statement without an answer', async () => {
    stopTheClock();
    find(1, 'A');
    const next = find(2, 'B');
    expect(statements).toHaveLength(1);
    advance(250);
    await statements[1]!.answer();
    expect(next.order).toBeDefined();
  });

  it('wait at most two seconds for their turn', async () => {
    stopTheClock();
    // Three statements that may be slow at the same time.
    for (const number of ['A', 'B', 'C']) {
      find(1, number);
      advance(250);
    }
    const late = find(1, 'late');
    advance(1_500);
    const inTime = find(1, 'in time');
    advance(1_000);
    await statements[0]!.answer();
    expect(late.error).toMatchObject({ code: 'unavailable' });
    expect(keysOf(statements[3]!)).toEqual(['1:in time']);
    await statements[3]!.answer();
    expect(inTime.order).toBeDefined();
  });

  it('let 256 look-ups of a client wait, and refuse more', async () => {
    for (let n = 0; n < 257; n++) find(1, `order-${n}`);
    const tooMany = find(1, 'one more');
    find(2, 'of another');
    await settled();
    expect(tooMany.error).toMatchObject({ code: 'rate_limited' });
    await statements[0]!.answer();
    expect(keysOf(statements[1]!)).toContain('2:of another');
  });
});

function orderOf(number: string): StoreOrder | undefined {
  return number === 'none' ? undefined : ({ orderNumber: number } as StoreOrder);
}

/** Waits until all promises that follow have settled. */
async function settled(act: () => void = () => undefined): Promise<void> {
  act();
  await new Promise((resolve) => setImmediate(resolve));
}
