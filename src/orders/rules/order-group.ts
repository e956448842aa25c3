/** How a client's orders are told apart on its pages: by what is to be done about them. */
export const ORDER_GROUPS = ['to_pay', 'processing', 'paid', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderGroup = (typeof ORDER_GROUPS)[number];
