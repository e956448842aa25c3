import type { ReturnState } from '../../../src/modules/orders/rules/return-request.js';

/** The expected state of one store: a few numbers, and rules of one line each. Money is in minor units. */
export interface ModelProduct {
  sku: string;
  base: number;
  delivery: number;
  fixed: Map<PlanName, number>;
  active: boolean;
  /** By variation key; the empty key for a product without variations. */
  stock: Map<string, { onHand: number; held: number }>;
}

export type PlanName = 'first' | 'second';

export interface ModelLine {
  product: ModelProduct;
  key: string;
  quantity: number;
  unitPrice: number;
  shipped: number;
  cancelled: number;
  refunded: number;
  /** Came back, or are expected back. */
  returned: number;
}

/** Units of a line of an order. */
export interface ModelUnits {
  line: ModelLine;
  quantity: number;
}

export interface ModelReturn {
  number: string;
  key: string;
  order: ModelOrder;
  state: ReturnState;
  /** What came of the units is null until someone decides. */
  units: (ModelUnits & { received: number | null; restocked: number })[];
  refunded: number;
}

export interface ModelOrder {
  id: string;
  number: string;
  lines: ModelLine[];
  total: number;
  delivery: number;
  refunded: number;
  isDeliveryPaidBack?: true;
  status: string;
  paymentStatus: string;
  timeline: string[];
  parcels: { units: ModelUnits[]; hasArrived: boolean }[];
  /** Refunds and cancelled lines by their keys, with what can be taken back of an amount. */
  keys: Map<string, { kind: string; left: number; isTakenBack?: true }>;
  returns: ModelReturn[];
}

/** A payment through the gateway. */
export interface ModelPayment {
  id: string;
  gatewayOrderId: string;
  orders: ModelOrder[];
  amount: number;
  isOpen: boolean;
  /** How many times it was captured at the gateway, credited in the wallet, and refunded. */
  captured: number;
  credited: number;
  refunded: number;
}

export interface Model {
  products: ModelProduct[];
  plan: PlanName;
  /** In hundredths of a percent. */
  discounts: Record<PlanName, number>;
  orders: ModelOrder[];
  balance: number;
  payments: ModelPayment[];
}

export function priceOf({ plan, discounts }: Model, { base, fixed }: ModelProduct): number {
  return fixed.get(plan) ?? Math.floor((base * (10_000 - discounts[plan]) + 5_000) / 10_000);
}

export function availableUnits({ onHand, held }: { onHand: number; held: number }): number {
  return Math.max(onHand - held, 0);
}

export function deliveryOf(lines: readonly ModelLine[]): number {
  const products = new Set(lines.map(({ product }) => product));
  return [...products].reduce((sum, product) => sum + product.delivery, 0);
}

export function totalOf(lines: readonly ModelLine[]): number {
  return lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, deliveryOf(lines));
}

/** Returns whether every product is on sale and the stock covers all lines. */
export function canPlace(lines: readonly ModelLine[]): boolean {
  return lines.every(({ product, key }) => {
    const wanted = lines.filter((line) => line.product === product && line.key === key);
    const quantity = wanted.reduce((sum, line) => sum + line.quantity, 0);
    return product.active && quantity <= availableUnits(product.stock.get(key)!);
  });
}

type Goods = Pick<ModelLine, 'product' | 'key' | 'quantity'>;

export function hold(goods: readonly Goods[], factor: 1 | -1): void {
  for (const { product, key, quantity } of goods) product.stock.get(key)!.held += factor * quantity;
}

const goodsOf = (units: readonly ModelUnits[]) => units.map(({ line, quantity }) => ({ ...line, quantity }));

const unsent = ({ quantity, shipped, cancelled }: ModelLine) => quantity - shipped - cancelled;

/** Units that have neither left nor been cancelled. */
export function rest({ lines }: ModelOrder): ModelUnits[] {
  return lines.map((line) => ({ line, quantity: unsent(line) })).filter(({ quantity }) => quantity > 0);
}

/** Returns whether the units can leave or be cancelled. */
export function isUnsent({ status }: ModelOrder, units: readonly ModelUnits[]): boolean {
  return status === 'pending' && units.every(({ line, quantity }) => quantity <= unsent(line));
}

/** Returns whether the counted stock covers the units. */
export function canShip(units: readonly ModelUnits[]): boolean {
  const goods = goodsOf(units);
  return goods.every(({ product, key }) => {
    const wanted = goods.filter((one) => one.product === product && one.key === key);
    return wanted.reduce((sum, { quantity }) => sum + quantity, 0) <= product.stock.get(key)!.onHand;
  });
}

export function ship(order: ModelOrder, units: ModelUnits[]): void {
  for (const { product, key, quantity } of goodsOf(units)) product.stock.get(key)!.onHand -= quantity;
  hold(goodsOf(units), -1);
  for (const { line, quantity } of units) line.shipped += quantity;
  order.parcels.push({ units, hasArrived: false });
  if (order.status === 'pending' && rest(order).length === 0) move(order, 'shipped');
}

/** An order is delivered when all of its goods have left and all parcels have arrived. */
export function arrive(order: ModelOrder): void {
  if (order.status === 'shipped' && order.parcels.every(({ hasArrived }) => hasArrived))
    move(order, 'delivered');
}

/** Pays back units, but no unit twice and no more than is left of the order's money. */
export function payBackUnits(model: Model, order: ModelOrder, units: readonly ModelUnits[]): void {
  for (const { line, quantity } of units) {
    const fresh = Math.min(quantity, line.quantity - line.refunded);
    line.refunded += fresh;
    payBack(model, order, Math.min(fresh * line.unitPrice, order.total - order.refunded));
  }
}

export function payBack(model: Model, order: ModelOrder, amount: number): void {
  model.balance += amount;
  order.refunded += amount;
  if (amount > 0 && order.refunded === order.total) order.paymentStatus = 'refunded';
}

/** What was paid for cancelled units stays with the client. */
export function canTakeBack(model: Model, order: ModelOrder, amount: number): boolean {
  const kept = order.lines.reduce((sum, { cancelled, unitPrice }) => sum + cancelled * unitPrice, 0);
  return order.status !== 'cancelled' && order.refunded - amount >= kept && model.balance >= amount;
}

export function takeMoneyBack(model: Model, order: ModelOrder, amount: number): void {
  model.balance -= amount;
  order.refunded -= amount;
  order.paymentStatus = 'paid';
}

/** If nothing has left and nothing stays, the order is cancelled and all of its money comes back. */
export function cancel(model: Model, order: ModelOrder, units: readonly ModelUnits[]): void {
  hold(goodsOf(units), -1);
  const isWhole = rest(order).every(({ line, quantity }) =>
    units.some((unit) => unit.line === line && unit.quantity === quantity),
  );
  if (isWhole && order.parcels.length === 0) {
    for (const line of order.lines) line.refunded = line.quantity;
    payBack(model, order, order.total - order.refunded);
    move(order, 'cancelled', 'refunded');
    return;
  }
  payBackUnits(model, order, units);
  for (const { line, quantity } of units) line.cancelled += quantity;
  if (isWhole) move(order, 'shipped');
  arrive(order);
}

/** Returns whether the units have left and do not come back yet. */
export function canReturn(units: readonly ModelUnits[]): boolean {
  return units.every(({ line, quantity }) => quantity <= line.shipped - line.returned);
}

export function askReturn(
  order: ModelOrder,
  units: readonly ModelUnits[],
  number: string,
  key: string,
): void {
  for (const { line, quantity } of units) line.returned += quantity;
  const open = units.map((unit) => ({ ...unit, received: null, restocked: 0 }));
  order.returns.push({ number, key, order, state: 'requested', units: open, refunded: 0 });
}

export function unitsOf(units: readonly ModelUnits[], line: ModelLine): number {
  return units.find((unit) => unit.line === line)?.quantity ?? 0;
}

/** Units that did not come can be returned again. Of those that came, some are for sale again. */
export function takeBack(
  one: ModelReturn,
  state: 'received' | 'refused',
  came: readonly ModelUnits[] = [],
  restock: readonly ModelUnits[] = [],
): void {
  for (const unit of one.units) {
    unit.received = unitsOf(came, unit.line);
    unit.restocked = unitsOf(restock, unit.line);
    unit.line.returned -= unit.quantity - unit.received;
    unit.line.product.stock.get(unit.line.key)!.onHand += unit.restocked;
  }
  const isWhole = state === 'refused' || one.units.every(({ quantity, received }) => received === quantity);
  one.state = isWhole ? state : 'partly_received';
}

export function move(order: ModelOrder, status: string, paymentStatus = order.paymentStatus): void {
  order.status = status;
  order.paymentStatus = paymentStatus;
  order.timeline.push(status);
}

/** The gateway charges what the wallet lacks, at least 1.00. */
export function chargeFor({ balance }: Model, orders: readonly ModelOrder[]): number {
  const lacking = orders.reduce((sum, { total }) => sum + total, 0) - balance;
  return lacking > 0 ? Math.max(lacking, 100) : 0;
}

/** Pays the orders from the wallet. */
export function payOut(model: Model, orders: readonly ModelOrder[]): void {
  for (const order of orders) {
    model.balance -= order.total;
    move(order, 'pending', 'paid');
  }
}

/** Credits the captured payments, and pays the waiting orders while the balance lasts. */
export function settle(model: Model, payment: ModelPayment): void {
  const isNews = payment.captured > payment.credited;
  model.balance += (payment.captured - payment.credited) * payment.amount;
  payment.credited = payment.captured;
  if (!isNews) return;
  payment.isOpen = false;
  const inTurn = payment.orders.toSorted((a, b) => (a.number < b.number ? -1 : 1));
  for (const order of inTurn)
    if (order.status === 'awaiting_payment' && order.total <= model.balance) payOut(model, [order]);
}
