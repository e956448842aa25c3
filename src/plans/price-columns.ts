/** The columns of the file of fixed prices. */
export const PRICE_COLUMNS = ['plan', 'sku', 'wholesale_price'] as const;
