/** Limits of one order, as in the OpenAPI document. */
export const ORDER_LIMITS = {
  items: 100,
  quantity: 100_000,
  sku: 64,
  storeOrderId: 64,
  name: 200,
  longText: 1_000,
  variation: 1_000,
  phone: 40,
  email: 254,
  /** Above the largest possible order: 100 lines of 100,000 at 1,000,000 each, plus delivery. */
  total: 20_000_000_000_000,
} as const;
