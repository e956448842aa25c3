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
}

export interface ModelOrder {
  id: string;
  number: string;
  lines: ModelLine[];
  total: number;
  status: string;
  paymentStatus: string;
  timeline: string[];
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

export function shown({ onHand, held }: { onHand: number; held: number }): number {
  return Math.max(onHand - held, 0);
}

export function totalOf(lines: readonly ModelLine[]): number {
  const products = new Set(lines.map(({ product }) => product));
  const delivery = [...products].reduce((sum, product) => sum + product.delivery, 0);
  return lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, delivery);
}

/** Returns whether every product is on sale and the stock covers all lines. */
export function canPlace(lines: readonly ModelLine[]): boolean {
  return lines.every(({ product, key }) => {
    const wanted = lines.filter((line) => line.product === product && line.key === key);
    const quantity = wanted.reduce((sum, line) => sum + line.quantity, 0);
    return product.active && quantity <= shown(product.stock.get(key)!);
  });
}

export function hold(lines: readonly ModelLine[], factor: 1 | -1): void {
  for (const { product, key, quantity } of lines) product.stock.get(key)!.held += factor * quantity;
}

/** Returns whether the counted stock covers the order. */
export function canShip({ lines }: ModelOrder): boolean {
  return lines.every(({ product, key }) => {
    const wanted = lines.filter((line) => line.product === product && line.key === key);
    return wanted.reduce((sum, line) => sum + line.quantity, 0) <= product.stock.get(key)!.onHand;
  });
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
