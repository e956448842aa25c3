import { type QueuedItem, FairQueue } from './fair-queue.js';

interface NamedItem extends QueuedItem {
  name: string;
}

describe('Waiting orders', () => {
  let queue: FairQueue<NamedItem>;

  beforeEach(() => (queue = new FairQueue()));

  const add = (name: string, clientId: number, ...skus: string[]) => queue.add({ name, clientId, skus });
  const take = (maxItems: number, ...busy: string[]) =>
    queue.take(maxItems, new Set(busy)).map(({ name }) => name);

  it('are taken from the clients in turn, each in its own order', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, 1, name);
    add('b1', 2, 'b1');
    add('c1', 3, 'c1');
    add('c2', 3, 'c2');
    expect(take(5)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
    expect(take(5)).toEqual(['a3', 'a4']);
    expect([queue.count, queue.countOf(1)]).toEqual([0, 0]);
  });

  it('put a served client behind the others', () => {
    add('a1', 1, 'x');
    add('a2', 1, 'x');
    add('b1', 2, 'x');
    expect([take(1), take(1), take(1)]).toEqual([['a1'], ['b1'], ['a2']]);
  });

  it('wait while their products are busy, and let other orders pass', () => {
    add('a1', 1, 'busy');
    add('a2', 1, 'free');
    add('b1', 2, 'third', 'busy');
    expect(take(9, 'busy')).toEqual(['a2']);
    expect(take(9)).toEqual(['b1', 'a1']);
  });

  it('are not overtaken by orders of the same products', () => {
    add('a1', 1, 'busy', 'other');
    add('b1', 2, 'other');
    add('c1', 3, 'third');
    expect(take(9, 'busy')).toEqual(['c1']);
    expect(take(9)).toEqual(['a1', 'b1']);
  });

  it('can leave', () => {
    const order = { name: 'a1', clientId: 1, skus: ['x'] };
    queue.add(order);
    add('a2', 1, 'x');
    queue.remove(order);
    expect(take(9)).toEqual(['a2']);
  });
});
