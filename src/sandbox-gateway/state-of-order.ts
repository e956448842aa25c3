import { In, type EntityManager } from 'typeorm';
import { SandboxOrder } from './entities/sandbox-order.entity.js';
import { SandboxPayment } from './entities/sandbox-payment.entity.js';
import { SandboxRefund } from './entities/sandbox-refund.entity.js';
import { isId } from './new-id.js';
import type { OrderState } from './protocol.js';
import { unknownId } from './refusal.js';

/** Who means to change anything of an order locks it: so what it says of it stays true until that is done. */
export async function stateOfOrder(manager: EntityManager, id: unknown, lock = false): Promise<OrderState> {
  const order = isId(id)
    ? await manager.findOne(SandboxOrder, {
        where: { id },
        ...(lock && { lock: { mode: 'pessimistic_write' } }),
      })
    : null;
  if (!order) throw unknownId();
  const payments = await manager.find(SandboxPayment, {
    where: { orderId: order.id },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  const refunds = await manager.find(SandboxRefund, {
    where: { paymentId: In(payments.map((payment) => payment.id)) },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  return { order, payments, refunds };
}

/** The order of a payment, with the payment itself. */
export async function stateOfPayment(
  manager: EntityManager,
  id: unknown,
  lock = false,
): Promise<{ state: OrderState; payment: SandboxPayment }> {
  const found = isId(id) ? await manager.findOneBy(SandboxPayment, { id }) : null;
  if (!found) throw unknownId();
  const state = await stateOfOrder(manager, found.orderId, lock);
  return { state, payment: state.payments.find((payment) => payment.id === found.id)! };
}
