/** The numbers of those orders of the client `$1` for which a payment is on its way. By the names of the tables, for payments stand above orders. */
export const UNDERWAY = `
  (SELECT m.order_number FROM payments p JOIN payment_orders m ON m.client_id = p.client_id AND m.payment_id = p.payment_id
    WHERE p.client_id = $1 AND p.status IN ('opening', 'open'))`;
