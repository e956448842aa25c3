import { allUnits } from '../../../orders/rules/order-units.js';
import type { OrderDetails } from '../../../orders/records/client-order.mapper.js';
import { Button } from '../../../pages/components/controls.js';
import { textIn } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { formPage, notNow } from '../../shared/form-page.js';
import { quantitiesIn, ReturnReason, UnitFields } from '../../shared/order-forms.js';
import { orderPath, returnPath } from '../paths.js';

export const isReturnable = ({ items }: OrderDetails) => allUnits(items, 'returned').length > 0;

/** Asks the wholesaler to take goods back. `key` keeps a form that is posted twice from asking twice. */
export function returnPage(order: OrderDetails, key: string): Page {
  const back = { href: orderPath(order.orderNumber), text: order.orderNumber };
  const possible = allUnits(order.items, 'returned');
  const title = `Return items of ${order.orderNumber}`;
  if (possible.length === 0)
    return notNow(
      title,
      'Only items that have left can be returned, and each once.',
      { href: back.href, text: 'Back to the order' },
      back,
    );
  return formPage({
    title,
    lead: 'The wholesaler answers your request here. Send nothing back before.',
    back,
    path: returnPath(order.orderNumber),
    hidden: { key },
    fields: (
      <>
        <UnitFields items={order.items} possible={possible} />
        <ReturnReason note="Note for the wholesaler" />
      </>
    ),
    buttons: <Button kind="primary">Ask for the return</Button>,
  });
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
