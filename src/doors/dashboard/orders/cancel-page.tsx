import type { OrderDetails } from '../../../orders/view/client-order.mapper.js';
import { isPayable } from '../../../orders/rules/order-group.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { Form } from '../../../pages/components/form.js';
import type { Page } from '../../../pages/page.js';
import { orderPath } from '../paths.js';

/** Asks once more: a cancelled order does not come back. */
export function cancelPage(order: OrderDetails): Page {
  const { orderNumber, customerName } = order;
  const back = { href: orderPath(orderNumber), text: orderNumber };
  if (!isPayable(order))
    return {
      title: `${orderNumber} cannot be cancelled here`,
      back,
      content: (
        <Card>
          <Empty action={<ButtonLink href={back.href}>Back to the order</ButtonLink>}>
            <p>Only an order that waits for payment can be. For what is paid, ask the wholesaler.</p>
          </Empty>
        </Card>
      ),
    };
  return {
    title: `Cancel ${orderNumber}?`,
    lead: `What ${customerName} ordered is not shipped then, and its stock goes back at once. It cannot be undone.`,
    back,
    content: (
      <Form action={`${back.href}/cancel`} bare>
        <div class="actions">
          <ButtonLink href={back.href}>Keep the order</ButtonLink>
          <Button kind="danger">Cancel the order</Button>
        </div>
      </Form>
    ),
  };
}
