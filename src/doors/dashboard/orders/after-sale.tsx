import { allUnits } from '../../../orders/rules/order-units.js';
import type { OrderDetails } from '../../../orders/records/client-order.mapper.js';
import { Button, FormCard } from '../../../pages/components/controls.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { textIn } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { quantitiesIn, ReturnReason, UnitFields } from '../../shared/order-forms.js';
import { orderPath, returnPath } from '../paths.js';

export const isReturnable = ({ items }: OrderDetails) => allUnits(items, 'returned').length > 0;

/** Asks the wholesaler to take goods back. `key` keeps a form that is posted twice from asking twice. */
export function returnPage(order: OrderDetails, key: string): Page {
  const back = { href: orderPath(order.orderNumber), text: order.orderNumber };
  const possible = allUnits(order.items, 'returned');
  const title = `Return items of ${order.orderNumber}`;
  if (possible.length === 0)
    return {
      title,
      back,
      content: (
        <Card>
          <Empty next={{ href: back.href, text: 'Back to the order' }}>
            <p>Only items that have left can be returned, and each once.</p>
          </Empty>
        </Card>
      ),
    };
  return {
    title,
    lead: 'The wholesaler answers your request here. Send nothing back before.',
    back,
    content: (
      <FormCard action={returnPath(order.orderNumber)} hidden={{ key }}>
        <UnitFields items={order.items} possible={possible} />
        <ReturnReason note="Note for the wholesaler" />
        <Button kind="primary">Ask for the return</Button>
      </FormCard>
    ),
  };
}

export interface ReturnForm {
  /** The typed quantities by line. */
  quantities: Record<string, string>;
  reason: string;
  note: string;
  key: string;
}

export function readReturnForm(fields: FormFields): ReturnForm {
  return {
    quantities: quantitiesIn(fields),
    reason: textIn(fields, 'reason'),
    note: textIn(fields, 'note'),
    key: textIn(fields, 'key'),
  };
}
