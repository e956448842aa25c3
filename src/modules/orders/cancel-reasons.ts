/** The reasons that the service writes by itself. The wholesaler may type another one. */
export const CANCEL_REASONS = {
  expired: 'expired',
  store: 'cancelled by the store',
  wholesaler: 'cancelled by the wholesaler',
} as const;
