/**
 * What the docs send as it stands, as often as somebody presses the button. So it holds nothing that works only once, such as
 * a `store_order_id`, or only at today's prices.
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
