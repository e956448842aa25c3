import type { ClientListItem } from '../../clients/client-administration.service.js';
import { clientAnswer } from '../../clients/client-fields.js';
import { amountFromNumeric } from '../../../platform/money/money.js';
import { inSnakeCase } from '../../../platform/snake-case.js';
import type { ClientAccount } from './order-desk.repository.js';

/** A client with its money and its unpaid orders, as programs read it. */
export function toAccountAnswer<More extends object>(
  client: ClientListItem,
  account: ClientAccount,
  more = {} as More,
) {
  const { createdAt, domains, subscription } = client;
  const { balance, unpaidOrders, unpaidTotal } = account;
  const money = {
    unpaidOrders,
    balance: amountFromNumeric(balance),
    unpaidTotal: amountFromNumeric(unpaidTotal),
  };
  return {
    ...clientAnswer(client),
    ...inSnakeCase({ createdAt, domains, subscription }),
    ...inSnakeCase(more),
    ...inSnakeCase(money),
  };
}
