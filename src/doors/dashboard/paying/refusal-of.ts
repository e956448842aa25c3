import { formatMoney } from '../../../pages/format-money.js';
import { DomainError } from '../../../platform/errors/domain-error.js';

/** Why nothing was paid, because things are no longer as the page had them; nothing for what has other reasons. */
export function refusalOf(error: unknown, currency: string): string | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { code, message, facts } = error;
  const money = (name: string) => formatMoney(Math.round(Number(facts[name]) * 100), currency);
  const paid = (total: string, charge: string) =>
    `${money(total)}, ${money(charge)} of it through the gateway`;
  switch (code) {
    case 'total_changed':
      return `Nothing was paid. You were shown ${paid('shown', 'shown_charge')}, but it is ${paid('total', 'charge')} now.`;
    case 'insufficient_balance':
      return `Nothing was paid. It comes to ${money('needed')}, but the wallet holds ${money('balance')} now.`;
    case 'payment_underway':
    case 'illegal_transition':
      return `Nothing was paid. ${message}`;
    default:
      return undefined;
  }
}
