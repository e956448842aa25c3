import type { ChangeAuthor, ClientOrder } from '../../../modules/orders/records/order-for-client.js';
import { groupOf, isPayable, redirectRefusal } from '../../../modules/orders/rules/order-transitions.js';
import { allUnits } from '../../../modules/orders/rules/order-units.js';
import { formatReturnState, isWithdrawable } from '../../../modules/orders/rules/return-request.js';
import { Button, ButtonLink, ConfirmForm } from '../../../shared/ui/components/controls.js';
import { Facts, Notice } from '../../../shared/ui/components/layout.js';
import { formatMoney, refreshSecondsAfter } from '../../../platform/formats.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import { isUnderway } from '../../../modules/payments/rules/payment-status.js';
import type { Minor } from '../../../platform/money/money.js';
import { formPage, unavailablePage } from '../../shared/form-page.js';
import { type OrderPageOptions, Units } from '../../shared/order-cards.js';
import { DeliveryFields, ReturnReason, UnitFields } from '../../shared/order-forms.js';
import { orderPage, type OrderPageProps } from '../../shared/order-page.js';
import { Wholesaler } from '../home/help-page.js';
import {
  DOCUMENT_PATHS,
  NEW_ORDER,
  orderPath,
  ORDERS,
  paymentPath,
  returnPath,
  reviewPath,
  withdrawalPath,
} from '../paths.js';
import { PayForm } from '../paying/review-page.js';

interface Props extends Pick<OrderPageProps<never>, 'payments' | 'documents'> {
  order: ClientOrder;
  /** The balance of the wallet without its reserved part. */
  available: Minor;
  mayPay: boolean;
  priceNote: string;
}

export function clientOrderPage({ order, payments, documents, available, mayPay, priceNote }: Props): Page {
  const underway = payments.find(({ status }) => isUnderway(status));
  const { orderNumber, storeOrderId, domain, timeline, origin } = order;
  return {
    ...orderPage({
      options: PAGE_OPTIONS,
      order,
      payments,
      documents,
      priceNote,
      placedText:
        storeOrderId === null
          ? `Placed ${origin === 'api' ? placedOn(domain) : byWords(timeline[0]!)}`.trim()
          : `Your ${storeOrderId}, placed ${placedOn(domain)}`.trim(),
      actions: mayPay && <Actions order={order} available={available} />,
      notice: underway && (
        <Notice kind="info">
          A payment for this order is being processed: do not pay it again.{' '}
          <a href={paymentPath(underway.paymentId)}>See the payment</a>
        </Notice>
      ),
      deliveryActions: mayPay && redirectRefusal(order) === undefined && (
        <ButtonLink href={`${orderPath(orderNumber)}/delivery`}>Change</ButtonLink>
      ),
      returnActions: (returned) =>
        mayPay &&
        isWithdrawable(returned) && (
          <ButtonLink href={withdrawalPath(orderNumber, returned.returnNumber)}>Withdraw</ButtonLink>
        ),
    }),
    refreshSeconds: refreshSecondsAfter(underway?.createdAt ?? null),
  };
}

/** Empty for orders of 1.0.0. */
const placedOn = (domain: string | null) => (domain === null ? '' : `on ${domain}`);

const ACTOR_NAMES: Record<Exclude<ChangeAuthor['by'], 'person'>, string> = {
  store: 'by your store',
  'auto-pay': 'by auto-pay',
  gateway: 'by gateway payment',
  service: 'automatically',
  wholesaler: 'by the wholesaler',
};

function byWords(action: ChangeAuthor): string {
  return action.by === 'person' ? `by ${action.email}` : ACTOR_NAMES[action.by];
}

const PAGE_OPTIONS: OrderPageOptions<ChangeAuthor> = {
  orders: ORDERS,
  order: orderPath,
  documents: DOCUMENT_PATHS,
  payment: paymentPath,
  wallet: 'your wallet',
  describeActor: byWords,
  titles: { paid: 'is paid and will be shipped', cancelled: 'is cancelled' },
};

const Actions = ({ order, available }: Pick<Props, 'order' | 'available'>) => (
  <>
    {groupOf(order) === 'to_pay' && (
      <>
        <ButtonLink href={`${orderPath(order.orderNumber)}/cancel`} kind="danger">
          Cancel order
        </ButtonLink>
        <PayOrder order={order} available={available} />
      </>
    )}
    {allUnits(order.items, 'returned').length > 0 && (
      <ButtonLink href={returnPath(order.orderNumber)}>Return items</ButtonLink>
    )}
    <ButtonLink href={withQuery(NEW_ORDER, { again: order.orderNumber })}>Order again</ButtonLink>
  </>
);

/** Pays at once if the wallet has enough; otherwise leads to the review page. */
const PayOrder = ({ order, available }: Pick<Props, 'order' | 'available'>) => {
  const { orderNumber, total, currency } = order;
  const money = formatMoney(total, currency);
  if (available < total)
    return (
      <ButtonLink href={reviewPath([orderNumber], orderPath(orderNumber))} kind="primary">
        Review and pay · {money}
      </ButtonLink>
    );
  return (
    <PayForm orders={[order]} total={total} balance={available} back={orderPath(orderNumber)} bare>
      <Button kind="primary">Pay from wallet · {money}</Button>
    </PayForm>
  );
};

const backTo = ({ orderNumber }: ClientOrder) => ({ href: orderPath(orderNumber), text: orderNumber });

const TO_ORDER = { text: 'Back to the order' };

export function cancelPage(order: ClientOrder): Page {
  const { orderNumber, customerName } = order;
  const back = backTo(order);
  if (!isPayable(order))
    return unavailablePage(
      `${orderNumber} cannot be cancelled here`,
      <>
        You can cancel only unpaid orders. To cancel a paid order, ask <Wholesaler />.
      </>,
      back,
      TO_ORDER,
    );
  return {
    title: `Cancel ${orderNumber}?`,
    lead: `The order of ${customerName} will not be shipped. Its stock is released. This cannot be undone.`,
    back,
    content: (
      <ConfirmForm
        action={`${back.href}/cancel`}
        confirm="Cancel the order"
        keep={{ href: back.href, text: 'Keep the order' }}
      />
    ),
  };
}

export function deliveryPage(order: ClientOrder): Page {
  const back = backTo(order);
  const refusal = redirectRefusal(order);
  if (refusal !== undefined)
    return unavailablePage(
      `The delivery of ${order.orderNumber} cannot be changed here`,
      <>
        {refusal}
        {order.status === 'pending' && (
          <>
            {' '}
            To change the delivery, ask <Wholesaler />.
          </>
        )}
      </>,
      back,
      TO_ORDER,
    );
  return formPage({
    title: `Change the delivery of ${order.orderNumber}`,
    lead: 'You can change it until the order is packed. The history of the order keeps the old values.',
    back,
    hidden: { corrections: String(order.corrections.length) },
    fields: <DeliveryFields order={order} />,
    buttons: <Button kind="primary">Save</Button>,
  });
}

/** Asks the wholesaler to take goods back. `key` keeps a form that is posted twice from asking twice. */
export function returnPage(order: ClientOrder, key: string): Page {
  const back = backTo(order);
  const possible = allUnits(order.items, 'returned');
  const title = `Return items of ${order.orderNumber}`;
  if (possible.length === 0)
    return unavailablePage(
      title,
      'Only items that were shipped can be returned, and each only once.',
      back,
      TO_ORDER,
    );
  return formPage({
    title,
    lead: 'The wholesaler answers your request here. Do not send anything back before that.',
    back,
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

/** Takes a request for a return back. */
export function withdrawalPage(order: ClientOrder, returned: ClientOrder['returns'][number]): Page {
  const back = backTo(order);
  const { returnNumber, state, decision, lines, reason } = returned;
  if (!isWithdrawable(returned))
    return unavailablePage(
      `${returnNumber} cannot be withdrawn`,
      state === 'requested'
        ? 'The courier brings these goods back.'
        : `The return was ${formatReturnState(state, decision)} already.`,
      back,
      TO_ORDER,
    );
  return formPage({
    title: `Withdraw ${returnNumber}?`,
    lead: 'The wholesaler no longer waits for these goods: do not send them. You can return them later.',
    back,
    fields: <Facts of={{ Items: <Units order={order} lines={lines} />, Reason: reason }} />,
    buttons: <Button kind="danger">Withdraw the return</Button>,
  });
}
