import { formatMoney } from '../../../pages/format-money.js';
import { DomainError } from '../../../platform/errors/domain-error.js';

/** Why nothing was paid, if the page is to be shown once more, with things as they are now. */
export function whyNotPaid(error: unknown, currency: string): string | undefined {
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
    case 'gateway_unavailable':
      return `Nothing was paid. ${message}`;
    default:
      return undefined;
  }
}
