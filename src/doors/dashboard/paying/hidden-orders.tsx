import type { Minor } from '../../../platform/money/money.js';

interface Props {
  orders: readonly { orderNumber: string }[];
  total: Minor;
  balance: Minor;
}

/** What a page has shown, and goes along with what is posted. */
export const HiddenOrders = ({ orders, total, balance }: Props) => (
  <>
    {orders.map(({ orderNumber }) => (
      <input type="hidden" name="order" value={orderNumber} />
    ))}
    <input type="hidden" name="total" value={total} />
    <input type="hidden" name="balance" value={balance} />
  </>
);
