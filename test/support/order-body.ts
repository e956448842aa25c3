import type {
  CreateOrderRequest,
  OrderItemRequest,
} from '../../src/modules/orders/placing/create-order.request.js';

/** Returns a valid order of these items, with defaults for the other fields. */
export function orderBody(
  items: OrderItemRequest[],
  more: Partial<CreateOrderRequest> = {},
): CreateOrderRequest {
  return {
    customer: { name: 'Ravi Kumar', phone: '+91 98765 43210', email: 'ravi@example.com' },
    shipping: { address: '12, MG Road', city: 'Bengaluru', state: 'Karnataka', pincode: '560038' },
    items,
    ...more,
  };
}
