/** What one row of the sales report stands for. Commands read it without loading the queries. */
export const SALES_GROUPS = ['day', 'month', 'client', 'product', 'state'] as const;

export type SalesBy = (typeof SALES_GROUPS)[number];
