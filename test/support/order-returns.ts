import type { INestApplicationContext } from '@nestjs/common';
import type { Author } from '../../src/modules/audit/actor-of.js';
import type { ReceiveInput } from '../../src/modules/fulfilment/returns/actions/receive.js';
import {
  accept,
  receive,
  refund,
  refuse,
} from '../../src/modules/fulfilment/returns/actions/return-actions.js';
import { OrderReturnsService } from '../../src/modules/fulfilment/returns/order-returns.service.js';

/** The returns of the wholesaler, with its actions as methods. */
export function orderReturns(app: INestApplicationContext) {
  const returns = app.get(OrderReturnsService, { strict: false });
  return Object.assign(Object.create(returns) as OrderReturnsService, {
    accept: (number: string, input: { sendTo: string; sendBy: string }, by: Author) =>
      returns.act(number, accept.change(input), by),
    receive: (number: string, input: ReceiveInput, by: Author) =>
      returns.act(number, receive.change(input), by),
    refuse: async (number: string, reason: string, by: Author) =>
      returns.act(number, refuse.change({ reason }), by),
    refund: async (number: string, by: Author, none?: string) =>
      returns.act(number, refund.change({ none }), by),
  });
}

export type OrderReturns = ReturnType<typeof orderReturns>;
