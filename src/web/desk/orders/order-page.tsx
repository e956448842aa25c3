import { LAW_TIME_ZONE } from '../../../modules/invoices/rules/law-time-zone.js';
import { UNBILLED_DELIVERY, unbilledDelivery } from '../../../modules/invoices/rules/no-invoice.js';
import { NEEDS_E_WAY_BILL } from '../../../modules/invoices/rules/e-way-bill.js';
import type { IrnState } from '../../../modules/invoices/e-invoices.service.js';
import type { EWayBillState } from '../../../modules/invoices/e-way-bills.repository.js';
import {
  awaitsDelivery,
  formatLoss,
  lossesToRefund,
} from '../../../modules/orders/rules/parcel-exception.js';
import type { DeskOrderPage } from '../../../modules/orders/records/order-desk.service.js';
import { ButtonLink, CopyButton } from '../../../shared/ui/components/controls.js';
import { Notice } from '../../../shared/ui/components/layout.js';
import { ExactTime, ShortNumber } from '../../../shared/ui/components/values.js';
import { dayOf, formatDay } from '../../../platform/formats.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import { type DeskPerson, hasRole, may } from '../../../platform/access/signed-in-person.js';
import { type OrderPageOptions, Units } from '../../shared/order-cards.js';
import { orderPage, type OrderPageProps } from '../../shared/order-page.js';
import {
  clientPath,
  clientPaths,
  DOCUMENT_PATHS,
  E_INVOICES,
  eWayBillPath,
  ORDERS,
  orderPath,
  packingPath,
  returnPath,
  slipsPath,
} from '../paths.js';
import { authorWords } from '../words.js';
import { ACTIONS, type ActionName } from './order-actions.js';
import { Late } from './orders-page.js';

interface Props extends Pick<OrderPageProps<never>, 'payments' | 'documents'> {
  order: DeskOrderPage;
  /** Of each document. Empty if e-invoices are off. */
  irns: ReadonlyMap<string, IrnState>;
  /** The invoices in force, with their e-way bills. */
  eWayBills: readonly EWayBillState[];
  me: DeskPerson;
  priceNote: string;
}

const ORDER_PATHS: OrderPageOptions<{ actor: string }> = {
  orders: ORDERS,
  order: orderPath,
  documents: DOCUMENT_PATHS,
  returned: returnPath,
  wallet: 'the client’s wallet',
  describeActor: ({ actor }) => authorWords(actor),
  refundedBy: authorWords,
  titles: { paid: 'is paid and waits to be shipped', cancelled: 'is cancelled: do not ship it' },
};

const Irn = ({ number, state }: { number: string; state: IrnState | undefined }) => {
  if (state === undefined) return null;
  if (state === 'not needed') return <>, no IRN needed</>;
  const { irn, issuedOn, cancelledAt } = state;
  if (irn === null)
    return (
      <>
        , <a href={E_INVOICES}>IRN missing</a> since {formatDay(issuedOn)}
      </>
    );
  if (cancelledAt !== null) return <>, IRN cancelled on {dayOf(cancelledAt, LAW_TIME_ZONE)}</>;
  return (
    <span class="copy">
      <span>
        IRN{' '}
        <span id={`irn-${number}`}>
          <ShortNumber of={irn} />
        </span>
      </span>
      <CopyButton of={`irn-${number}`} />
    </span>
  );
};

const EWayBillNotice = ({ of: bill }: { of: EWayBillState }) => {
  const { number, isMissing, hasTransport, billNumber, validUntil, endedAt, reason } = bill;
  const link = <a href={eWayBillPath(number)}>{number}</a>;
  if (endedAt !== null)
    return (
      <Notice kind="info">
        {link} needs no e-way bill: {reason}
      </Notice>
    );
  if (isMissing)
    return (
      <Notice kind="warn">
        {link} {NEEDS_E_WAY_BILL}
        {hasTransport && ' Its transport is recorded: upload it to the portal, and record the answer.'}
      </Notice>
    );
  if (billNumber === null) return null;
  return (
    <Notice kind="info">
      E-way bill {billNumber} of {link}
      {validUntil && (
        <>
          , valid until <ExactTime at={validUntil} />
        </>
      )}
    </Notice>
  );
};

/** One order with everything. Packers see no amounts. */
export function deskOrderPage(props: Props): Page {
  const { order, payments, documents, irns, eWayBills, me, priceNote } = props;
  const {
    orderNumber,
    storeOrderId,
    domain,
    status,
    parcels,
    packingList,
    isSlipOld,
    shipBy,
    clientId,
    client,
  } = order;
  const offered = (name: ActionName) => hasRole(me, ACTIONS[name].role) && ACTIONS[name].isOffered(order);
  const kindOf = (name: ActionName) => {
    if (ACTIONS[name].isDanger) return 'danger';
    return name === (status === 'pending' ? 'ship' : 'deliver') ? 'primary' : 'plain';
  };
  const button = (name: ActionName, parcel?: number) =>
    offered(name) && (
      <ButtonLink
        href={withQuery(`${orderPath(orderNumber)}/${name}`, { parcel })}
        kind={parcel === undefined ? kindOf(name) : 'plain'}
      >
        {ACTIONS[name].name}
      </ButtonLink>
    );
  const { prepared, awaitsIrn } = order;
  const clientLink = may(me, 'see clients') ? <a href={clientPath(clientId)}>{client}</a> : client;
  const isUnderWay = parcels.some(awaitsDelivery) && order.goodsState !== 'returned';
  const unbilled = unbilledDelivery(order, parcels);
  return orderPage({
    options: ORDER_PATHS,
    order,
    payments,
    documents,
    documentDetail: ({ number }) => <Irn number={number} state={irns.get(number)} />,
    hidesAmounts: !may(me, 'see amounts'),
    priceNote,
    placedText: (
      <>
        {storeOrderId === null ? 'An order' : `Order ${storeOrderId}`} of {clientLink}, placed
        {domain && ` on ${domain}`} {order.origin !== 'api' && authorWords(order.timeline[0]!.actor)}
      </>
    ),
    leadDetail: (
      <>
        {shipBy && (
          <>
            , to ship by {formatDay(shipBy.day)}
            {shipBy.daysLate > 0 && ' '}
            {shipBy.daysLate > 0 && <Late days={shipBy.daysLate} />}
          </>
        )}
        {packingList !== null && status !== 'pending' && (
          <>
            , on <a href={packingPath(packingList)}>packing list {packingList}</a>
          </>
        )}
      </>
    ),
    actions: (
      <>
        {button('ship')}
        {button('invoice')}
        {button('uninvoice')}
        {isUnderWay && button('deliver')}
        {button('box')}
        {button('return')}
        {button('take-back')}
        {button('refund')}
        {button('pay')}
        {button('unpay')}
        {button('cancel')}
        {may(me, 'order for clients') && !order.isSuspended && (
          <ButtonLink href={withQuery(clientPaths(clientId).order, { again: orderNumber })}>
            Order again
          </ButtonLink>
        )}
      </>
    ),
    notice: (
      <>
        {order.isSuspended && <Notice kind="warn">{clientLink} is suspended.</Notice>}
        {status === 'pending' && packingList !== null && (
          <Notice kind={isSlipOld ? 'warn' : 'info'}>
            It is on <a href={packingPath(packingList)}>packing list {packingList}</a>.{' '}
            {isSlipOld
              ? 'It was changed after its slip was printed: '
              : 'A change of its lines or its address needs a new slip: '}
            <a href={slipsPath(packingList, { order: orderNumber })} download>
              print its slip
            </a>
            .
          </Notice>
        )}
        {prepared && (
          <Notice kind={awaitsIrn ? 'warn' : 'info'}>
            Parcel {prepared.parcel} is invoiced{' '}
            {awaitsIrn ? 'and must stay until its invoice has its IRN:' : 'and may leave:'}
            <Units order={order} lines={prepared.lines} />
          </Notice>
        )}
        {unbilled && <Notice kind="warn">{UNBILLED_DELIVERY[unbilled]}</Notice>}
        {hasRole(me, ACTIONS.refund.role) &&
          lossesToRefund(order).map((loss) => (
            <Notice kind="warn">
              Parcel {loss.parcel} is lost:{' '}
              <a href={withQuery(`${orderPath(orderNumber)}/refund`, { parcel: loss.parcel })}>
                refund {formatLoss(loss)}
              </a>
              , then use “Order again”.
            </Notice>
          ))}
        {eWayBills.map((bill) => (
          <EWayBillNotice of={bill} />
        ))}
      </>
    ),
    deliveryActions: button('delivery'),
    showsNoInvoiceReason: true,
    parcelActions: (parcel, isOnItsWay) => (
      <>
        {button('correct', parcel)}
        {isOnItsWay && (parcels.length > 1 || !isUnderWay) && button('deliver', parcel)}
        {parcels.some((one) => one.parcel === parcel && awaitsDelivery(one)) && button('report', parcel)}
        {isOnItsWay && parcel === parcels.at(-1)?.parcel && button('withdraw', parcel)}
        {!isOnItsWay && button('undeliver', parcel)}
        {eWayBills
          .filter((bill) => bill.parcel === parcel)
          .map(({ number }) => (
            <ButtonLink href={eWayBillPath(number)}>E-way bill</ButtonLink>
          ))}
        {documents.some(({ kind }) => kind === 'invoice') && button('reissue', parcel)}
      </>
    ),
  });
}
