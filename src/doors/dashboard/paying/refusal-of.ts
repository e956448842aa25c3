import { formatMoney } from '../../../pages/format-money.js';
import { DomainError } from '../../../platform/errors/domain-error.js';

/** What does not happen because things are no longer as the page had them: it is shown once more, as they are now. */
const REFUSALS = new Set([
  'total_changed',
  'payment_underway',
  'illegal_transition',
  'insufficient_balance',
  'gateway_unavailable',
]);

/** Why nothing was paid, if it is such a reason. */
export function refusalOf(error: unknown, currency: string): string | undefined {
  if (!(error instanceof DomainError) || !REFUSALS.has(error.code)) return undefined;
  return error.code === 'total_changed' ? bothFigures(error, currency) : `Nothing was paid. ${error.message}`;
}

function bothFigures({ facts }: DomainError, currency: string): string {
  const money = (name: string) => formatMoney(Math.round(Number(facts[name]) * 100), currency);
  const inWords = (total: string, charge: string) =>
    `${money(total)}, ${money(charge)} of it through the gateway`;
  return `Nothing was paid. You were shown ${inWords('shown', 'shown_charge')}, but it is ${inWords('total', 'charge')} now.`;
}
