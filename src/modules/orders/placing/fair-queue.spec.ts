import { type Waiting, WaitingOrders } from './fair-queue.js';

interface Named extends Waiting {
  name: string;
}

describe('Waiting orders', () => {
  let waiting: WaitingOrders<Named>;

  beforeEach(() => (waiting = new WaitingOrders()));

  const join = (name: string, clientId: number, ...skus: string[]) => waiting.join({ name, clientId, skus });
  const take = (most: number, ...busy: string[]) => waiting.take(most, new Set(busy)).map(({ name }) => name);

  it('are taken from the clients in turn, each in its own order', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) join(name, 1, name);
    join('b1', 2, 'b1');
    join('c1', 3, 'c1');
    join('c2', 3, 'c2');
    expect(take(5)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
    expect(take(5)).toEqual(['a3', 'a4']);
    expect([waiting.count, waiting.of(1)]).toEqual([0, 0]);
  });

  it('put a served client behind the others', () => {
    join('a1', 1, 'x');
    join('a2', 1, 'x');
    join('b1', 2, 'x');
    expect([take(1), take(1), take(1)]).toEqual([['a1'], ['b1'], ['a2']]);
  });

  it('wait while their products are busy, and let other orders pass', () => {
    join('a1', 1, 'busy');
    join('a2', 1, 'free');
    join('b1', 2, 'third', 'busy');
    expect(take(9, 'busy')).toEqual(['a2']);
    expect(take(9)).toEqual(['b1', 'a1']);
  });

  it('are not overtaken by orders of the same products', () => {
    join('a1', 1, 'busy', 'other');
    join('b1', 2, 'other');
    join('c1', 3, 'third');
    expect(take(9, 'busy')).toEqual(['c1']);
    expect(take(9)).toEqual(['a1', 'b1']);
  });

  it('can leave', () => {
    const order = { name: 'a1', clientId: 1, skus: ['x'] };
    waiting.join(order);
    join('a2', 1, 'x');
    waiting.leave(order);
    expect(take(9)).toEqual(['a2']);
  });
});
