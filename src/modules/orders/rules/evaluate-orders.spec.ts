import fc from 'fast-check';
import type { LockedStock } from '../../stock/stock-holdings.repository.js';
import {
  type SubmittedOrder,
  type OrderCapacity,
  evaluateOrders,
  type OrderDecision,
} from './evaluate-orders.js';
import type { OrderLine } from './order-lines.js';
import { demandOf, stockById, stockId } from './order-stock.js';
import type { UnpaidTotals } from './unpaid-limits.js';

const PRODUCTS = [1, 2, 3];
const CLIENTS = [1, 2];
const NOTHING = { orders: 0, value: 0 };

const line = fc.record({ productId: fc.constantFrom(...PRODUCTS), quantity: fc.integer({ min: 1, max: 4 }) });

/** Mostly this value, sometimes another one. */
const mostly = <Value, Other>(value: Value, other: fc.Arbitrary<Other>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });

const UNKNOWN_SKU = { field: 'items[9].sku', code: 'unknown_sku', message: 'is none' };

const orderArbitrary = fc.record({
  clientId: fc.constantFrom(...CLIENTS),
  domain: fc.constantFrom(undefined, 'one.example.com', 'other.example.com'),
  storeOrderId: fc.option(fc.constantFrom('A', 'B', 'C'), { nil: undefined }),
  lines: fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((lines) => lines.map(({ productId, quantity }, index) => toLine(index, productId, quantity))),
  faults: mostly([], fc.constant([UNKNOWN_SKU])),
  expectedTotal: mostly(undefined, fc.integer({ min: 1, max: 100 })),
  barred: mostly(undefined, fc.constant(new Error('barred'))),
});

const stockOf = (productId: number, onHand: number) => ({
  id: productId,
  productId,
  variationKey: '',
  onHand,
  held: 0,
});
const capacityArbitrary = fc.record({
  stock: fc
    .tuple(...PRODUCTS.map(() => fc.nat({ max: 12 })))
    .map((counts) => stockById(PRODUCTS.map((productId, n) => stockOf(productId, counts[n]!)))),
  unpaidTotals: fc
    .tuple(...CLIENTS.map(() => fc.record({ orders: fc.nat({ max: 4 }), value: fc.nat({ max: 20_000 }) })))
    .map((limits) => new Map(CLIENTS.map((id, n) => [id, { unpaid: NOTHING, limits: limits[n]! }]))),
});

function toLine(index: number, productId: number, quantity: number): OrderLine {
  const price = productId * 500;
  const offer = { productId, sku: `P${productId}`, name: '', price, deliveryCharge: 100, variations: [] };
  return {
    index,
    offer,
    variationKey: '',
    remark: null,
    metadata: null,
    quantity,
    lineTotal: price * quantity,
  };
}

/** Returns the stock and the unpaid totals after this order. */
function after(capacity: OrderCapacity, order: SubmittedOrder, decision: OrderDecision): OrderCapacity {
  if (!('totals' in decision)) return capacity;
  const stock = new Map<string, LockedStock>(capacity.stock);
  for (const demand of demandOf(order.lines)) {
    const item = stock.get(stockId(demand))!;
    stock.set(stockId(demand), { ...item, held: item.held + demand.quantity });
  }
  const { unpaid, limits } = capacity.unpaidTotals.get(order.clientId)!;
  const then: UnpaidTotals = {
    unpaid: { orders: unpaid.orders + 1, value: unpaid.value + decision.totals.total },
    limits,
  };
  return { stock, unpaidTotals: new Map(capacity.unpaidTotals).set(order.clientId, then) };
}

describe('evaluateOrders', () => {
  it('evaluates orders in one batch as it would evaluate them one after the other', () => {
    fc.assert(
      fc.property(fc.array(orderArbitrary, { maxLength: 12 }), capacityArbitrary, (orders, start) => {
        const together = evaluateOrders(orders, start);
        let capacity: OrderCapacity = start;
        const taken = new Map<string, number>();
        for (const [index, order] of orders.entries()) {
          const { clientId, domain, storeOrderId } = order;
          const id = storeOrderId && `${clientId}/${domain ?? ''}/${storeOrderId}`;
          const first = id === undefined ? undefined : taken.get(id);
          if (first !== undefined) {
            expect(together[index]).toEqual({ duplicateOf: first });
            continue;
          }
          const [alone] = evaluateOrders([order], capacity);
          expect(together[index]).toEqual(alone);
          capacity = after(capacity, order, alone!);
          if (id !== undefined && 'totals' in alone!) taken.set(id, index);
        }
      }),
    );
  });

  it('never sells more than the stock, and never exceeds the unpaid limit of a client', () => {
    fc.assert(
      fc.property(
        fc.array(orderArbitrary, { maxLength: 12 }),
        capacityArbitrary,
        (orders, { stock, unpaidTotals }) => {
          const decisions = evaluateOrders(orders, { stock, unpaidTotals });
          const stand = orders.flatMap((order, index) => {
            const decision = decisions[index]!;
            return 'totals' in decision ? [{ order, total: decision.totals.total }] : [];
          });
          for (const demand of demandOf(stand.flatMap(({ order }) => [...order.lines])))
            expect(demand.quantity).toBeLessThanOrEqual(stock.get(stockId(demand))!.onHand);
          for (const [clientId, { limits }] of unpaidTotals) {
            const own = stand.filter(({ order }) => order.clientId === clientId);
            if (limits.orders > 0) expect(own.length).toBeLessThanOrEqual(limits.orders);
            const value = own.reduce((sum, { total }) => sum + total, 0);
            if (limits.value > 0) expect(value).toBeLessThanOrEqual(limits.value);
          }
        },
      ),
    );
  });

  const capacity = {
    stock: stockById([stockOf(1, 5)]),
    unpaidTotals: new Map([[1, { unpaid: NOTHING, limits: NOTHING }]]),
  };
  const order: SubmittedOrder = {
    clientId: 1,
    storeOrderId: undefined,
    lines: [toLine(0, 1, 5)],
    faults: [],
    expectedTotal: undefined,
    barred: undefined,
  };
  const refusalOf = (given: Partial<SubmittedOrder>) => {
    const [decision] = evaluateOrders([{ ...order, ...given }], capacity);
    return (decision as { refusal: unknown }).refusal;
  };

  it('refuses a client that may not order, after faults of the order itself', () => {
    const barred = new Error('barred');
    expect(refusalOf({ barred })).toBe(barred);
    expect(refusalOf({ barred, expectedTotal: 1 })).toMatchObject({ code: 'price_changed' });
  });

  it('names lines that cannot be read before those that lack stock, and no other obstacle', () => {
    const refused = { code: 'validation_failed', errors: [UNKNOWN_SKU] };
    const lacking = { ...refused, errors: [UNKNOWN_SKU, { code: 'insufficient_stock' }] };
    const faults = [UNKNOWN_SKU];
    expect(refusalOf({ faults, lines: [toLine(0, 1, 6)], expectedTotal: 1 })).toMatchObject(lacking);
    expect(refusalOf({ faults })).toMatchObject(refused);
  });

  it('does not change its input', () => {
    const [first, second] = evaluateOrders([order, order], capacity);
    expect(first).toEqual({ totals: expect.objectContaining({ total: 2_600 }) });
    expect(second).toMatchObject({ refusal: { errors: [{ code: 'insufficient_stock', available: 0 }] } });
    expect(capacity.stock.get('1/')!.held).toBe(0);
    expect(capacity.unpaidTotals.get(1)!.unpaid.orders).toBe(0);
  });
});
