import type { Command } from 'commander';
import type { DeskFilter } from '../../orders/desk/order-desk.repository.js';
import type { OrderStatus } from '../../orders/rules/order-transitions.js';
import { CLIENT, readEnd, readStart } from './option-values.js';
import type { Services } from './services.js';

export interface FilterOptions {
  status?: OrderStatus;
  client?: string;
  since?: Date;
  to?: Date;
  paidFrom?: Date;
}

/** Which orders a command is about. */
export function withFilter(command: Command): Command {
  return command
    .option('--client <client>', `only those of ${CLIENT}`)
    .option('--from, --since <date>', 'only those placed from this time on', readStart)
    .option('--to <date>', 'only those placed until then; a date includes that day (UTC)', readEnd)
    .option('--paid-from <date>', 'only those paid from this time on', readStart);
}

export async function filterOf(
  { clientFinder }: Services,
  { client, since, status, to, paidFrom }: FilterOptions,
): Promise<DeskFilter> {
  const clientId = client === undefined ? undefined : await clientFinder.find(client);
  return { status, clientId, from: since, to, paidFrom };
}
