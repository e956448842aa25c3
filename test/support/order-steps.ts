import { cancelUnits } from '../../src/modules/orders/actions/cancel.js';
import { deliver } from '../../src/modules/orders/actions/deliver.js';
import { expire } from '../../src/modules/orders/actions/expire.js';
import type { OrderChange } from '../../src/modules/orders/actions/order-action.js';
import { pay } from '../../src/modules/orders/actions/pay.js';
import { send, type ShipInput } from '../../src/modules/orders/actions/ship.js';
import { OrderLifecycleService } from '../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import type { TransitionName } from '../../src/modules/orders/rules/order-transitions.js';
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
  ...actions: TransitionName[]
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
  ...actions: TransitionName[]
): Promise<string> {
  const number = await test.place(store, order);
  await moveOrder(test, store, number, ...actions);
  return number;
}

export const shipping = (more: Partial<ShipInput> = {}) => send({ ...SHIPMENT, ...more });

const CHANGES: Record<TransitionName, OrderChange> = {
  pay: pay.change({}),
  ship: shipping(),
  deliver: deliver.change({}),
  cancel: cancelUnits('out of stock'),
  expire,
};

export const changeOf = (action: TransitionName): OrderChange => CHANGES[action];
