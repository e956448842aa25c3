/**
 * The example that the docs page sends, any number of times. So it has no `store_order_id`, which works once,
 * and no price of today.
 */
export const ORDER_EXAMPLE = {
  order: {
    summary: 'Two shirts',
    description: 'A store adds a `store_order_id` of its own, which makes the order safe to repeat.',
    value: {
      customer: { name: 'Ravi Kumar', phone: '+91 98765 43210', email: 'ravi@example.com' },
      shipping: {
        address: '12, MG Road, Indiranagar',
        city: 'Bengaluru',
        state: 'Karnataka',
        pincode: '560038',
        country: 'India',
      },
      items: [{ sku: 'TSHIRT-CLASSIC', quantity: 2, variation: 'Navy / M' }],
      notes: 'Please call before delivery.',
    },
  },
};
