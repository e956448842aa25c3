/** The columns of the file of counts. */
export const STOCK_COLUMNS = ['sku', 'variation', 'quantity'] as const;
