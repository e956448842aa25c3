import type { OrderChange } from '../../src/modules/orders/lifecycle/lifecycle.repository.js';
import { OrderLifecycleService } from '../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import type { OrderAction } from '../../src/modules/orders/rules/order-transitions.js';
import type { Store } from './fixtures.js';
import type { TestApp } from './test-app.js';

const SHIPMENT = {
  courier: 'Delhivery',
  trackingNumber: 'DL123',
  trackingUrl: 'https://track.example.com/DL123',
  shippedAt: null,
  sharedWithOrders: 'any' as const,
};

/** Moves an order through the steps of the wholesaler. */
export async function moveOrder(
  { app }: TestApp,
  { clientId }: Store,
  orderNumber: string,
  ...actions: OrderAction[]
): Promise<void> {
  for (const action of actions) {
    await app.get(OrderLifecycleService).applyChange({ clientId, orderNumber }, changeOf(action), 'test');
  }
}

/** Places an order, moves it through these steps, and returns its number. */
export async function placeAndMove(
  test: TestApp,
  store: Store,
  order: Parameters<TestApp['place']>[1],
  ...actions: OrderAction[]
): Promise<string> {
  const number = await test.place(store, order);
  await moveOrder(test, store, number, ...actions);
  return number;
}

export function changeOf(action: OrderAction): OrderChange {
  if (action === 'ship') return { action, ...SHIPMENT };
  if (action === 'pay') return { action, from: 'elsewhere' };
  return action === 'cancel' || action === 'expire' ? { action, cancelReason: 'out of stock' } : { action };
}
