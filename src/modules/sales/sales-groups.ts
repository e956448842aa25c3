/** The groupings of the sales report. A file of its own, so that commands need not load the queries. */
export const SALES_GROUPS = ['day', 'month', 'client', 'product', 'state'] as const;

export type SalesBy = (typeof SALES_GROUPS)[number];
