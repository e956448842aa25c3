/** What one order may hold. The same numbers stand in the OpenAPI document. */
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
} as const;
