import type { GatewayEvent } from '../payment-gateway.js';
import { isId } from './read-answers.js';

/** What an event is about. One about something else names nothing that is ours to ask for. */
export function readEventBody(body: object): Omit<GatewayEvent, 'eventId'> {
  const orderId = [within(body, 'payment', 'order_id'), within(body, 'order', 'id')].find((id) =>
    isId(id, 'order'),
  );
  const refundId = within(body, 'refund', 'id');
  const paymentId = within(body, 'refund', 'payment_id');
  return {
    ...(isId(orderId, 'order') && { gatewayOrderId: orderId }),
    ...(isId(refundId, 'rfnd') && { gatewayRefundId: refundId }),
    ...(isId(paymentId, 'pay') && { gatewayPaymentId: paymentId }),
  };
}

/** `payload.<entity>.entity.<field>`, if all of it is there. */
function within(body: object, entity: string, field: string): unknown {
  return ['payload', entity, 'entity', field].reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    body,
  );
}
