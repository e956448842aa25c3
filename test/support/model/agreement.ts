import {
  type Model,
  type ModelOrder,
  type ModelProduct,
  type ModelReturn,
  priceOf,
  availableUnits,
} from './model.js';
import type { World } from './world.js';

/** All answers must equal the model, and the tables must not contradict each other. */
export async function expectAgreement(model: Model, world: World): Promise<void> {
  await expectStockRows(model, world);
  for (const product of model.products) await expectProduct(model, product, world);
  for (const order of model.orders) await expectOrder(order, world);
  await expectReturns(model, world);
  expect(await world.books()).toEqual({ balance: model.balance, faults: 0 });
}

async function expectStockRows({ products }: Model, world: World): Promise<void> {
  const expected = products.flatMap(({ sku, stock }) =>
    [...stock].map(([key, { onHand, held }]) => ({ sku, key, onHand, held, holds: held })),
  );
  expect(await world.stockRows()).toEqual(expected);
}

async function expectProduct(model: Model, product: ModelProduct, world: World): Promise<void> {
  const { sku, stock, active } = product;
  const [one, count] = [
    await world.get(`/api/products/${sku}`),
    await world.get(`/api/products/${sku}/stock`),
  ];
  if (!active) {
    expect([one.status, count.status]).toEqual([404, 404]);
    return;
  }
  const byKey = Object.fromEntries([...stock].map(([key, counts]) => [key, availableUnits(counts)]));
  const quantity = Object.values(byKey).reduce((sum, number) => sum + number, 0);
  const variationStocks = '' in byKey ? {} : byKey;
  expect(count.body).toMatchObject({
    stock_qty: quantity,
    in_stock: quantity > 0,
    variation_stocks: variationStocks,
  });
  expect(one.body).toMatchObject({
    data: {
      stock_qty: quantity,
      pricing: { wholesale_price: priceOf(model, product) / 100 },
      variation_stocks: variationStocks,
    },
  });
}

async function expectOrder(order: ModelOrder, world: World): Promise<void> {
  const { body } = await world.get(`/api/orders/${order.id}/status`);
  const { timeline, ...facts } = body as { timeline: { status: string; changed_at: string }[] };
  expect(facts).toMatchObject({
    order_number: order.number,
    status: order.status,
    payment_status: order.paymentStatus,
    total_amount: order.total / 100,
    refunded_amount: order.refunded / 100,
    shipments: order.parcels.map(({ units, hasArrived }) => ({
      lines: units
        .map(({ line, quantity }) => ({ line: order.lines.indexOf(line) + 1, quantity }))
        .toSorted((a, b) => a.line - b.line),
      delivered_at: hasArrived ? expect.any(String) : null,
    })),
    returns: order.returns.map((one) => ({
      number: one.number,
      state: one.state,
      lines: linesOf(one).map(({ line, quantity }) => ({ line, quantity })),
      refunded: one.refunded / 100,
    })),
    items: order.lines.map(({ product, quantity, unitPrice, shipped, cancelled, refunded, returned }) => ({
      sku: product.sku,
      quantity,
      shipped,
      cancelled: order.status === 'cancelled' ? quantity - shipped : cancelled,
      refunded,
      returned,
      unit_price: unitPrice / 100,
      line_total: (unitPrice * quantity) / 100,
    })),
  });
  for (const { quantity, shipped, cancelled, refunded, returned } of order.lines) {
    expect(Math.max(shipped + cancelled, refunded)).toBeLessThanOrEqual(quantity);
    expect(returned).toBeLessThanOrEqual(shipped);
  }
  expect(order.refunded).toBeLessThanOrEqual(order.total);
  expect(timeline.map(({ status }) => status)).toEqual(order.timeline);
  const times = timeline.map(({ changed_at: time }) => Date.parse(time));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
}

const linesOf = ({ order, units }: ModelReturn) =>
  units
    .map(({ line, ...counts }) => ({ line: order.lines.indexOf(line) + 1, ...counts }))
    .toSorted((a, b) => a.line - b.line);

async function expectReturns({ orders }: Model, world: World): Promise<void> {
  const returns = orders.flatMap((order) => order.returns);
  const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  const expected = returns.map((one) => {
    const { number, state, refunded } = one;
    return { number, state, refunded, lines: linesOf(one) };
  });
  expect(inOrder(await world.returns())).toEqual(inOrder(expected));
  const moved = returns.flatMap(({ number, units }) =>
    units.flatMap(({ line: { product, key }, received, restocked }) => [
      { reason: `return ${number}`, sku: product.sku, key, delta: received ?? 0 },
      { reason: `written off, return ${number}`, sku: product.sku, key, delta: restocked - (received ?? 0) },
    ]),
  );
  expect(inOrder(await world.returnedGoods())).toEqual(inOrder(moved.filter(({ delta }) => delta !== 0)));
}
