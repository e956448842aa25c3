import type { Command } from 'commander';
import type { OrderShown } from '../../orders/view/order.mapper.js';
import { describeOrder } from './describe-order.js';
import type { Services } from './services.js';

export interface NamedOrder {
  client?: string;
}

/** A command for one order, which its store's own id names as well, together with the client. */
export function named(command: Command): Command {
  return command
    .argument('<number>', "the order number, in any spelling; with --client the store's own id will do")
    .option('--client <client>', 'whose order it is: number, name, domain or e-mail address of the client');
}

/** The number of the order that is meant. */
export async function numberOf(
  { clientFinder, orders }: Services,
  name: string,
  { client }: NamedOrder,
): Promise<string> {
  return client === undefined ? name : orders.numberOf(await clientFinder.find(client), name);
}

export function answerWith(order: OrderShown) {
  return { json: order, text: describeOrder(order) };
}
