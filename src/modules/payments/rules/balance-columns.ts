/** The columns of the prepaid balances of clients at the end of a day. */
export const BALANCE_COLUMNS = [
  'client_id',
  'client',
  'wallet',
  'wallet_over_365_days',
  'paid_for_orders',
  'invoiced',
  'paid_not_invoiced',
  'left_without_invoice',
] as const;

export type BalanceColumn = (typeof BALANCE_COLUMNS)[number];
