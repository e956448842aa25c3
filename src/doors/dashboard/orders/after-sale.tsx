import type { OrderReturn } from '../../../orders/entities/order-return.entity.js';
import { allUnits, type LineQuantity } from '../../../orders/rules/order-units.js';
import type { OrderDetails } from '../../../orders/view/client-order.mapper.js';
import { Button, Field, Form, Select } from '../../../pages/components/controls.js';
import { Card, Empty, Facts } from '../../../pages/components/layout.js';
import { ExactTime, Money, type StateKind, StateLabel } from '../../../pages/components/values.js';
import { textIn } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { isWebAddress } from '../../../platform/validation/texts.js';
import { Wholesaler } from '../home/help-page.js';
import { orderPath, returnPath } from '../paths.js';

interface Props {
  order: OrderDetails;
}

/** Each parcel with its tracking; with its items, unless one parcel has all of them. */
export const ParcelCards = ({ order }: Props) => {
  const { parcels, status } = order;
  const isWhole = parcels.length === 1 && status !== 'pending';
  return (
    <>
      {parcels.map(({ parcel, courier, trackingNumber, trackingUrl, shippedAt, deliveredAt, lines }) => (
        <Card title={isWhole ? 'Parcel' : `Parcel ${parcel}`}>
          <Facts
            of={{
              Courier: courier,
              Tracking: (trackingNumber ?? trackingUrl) !== null && (
                <Tracking number={trackingNumber} url={trackingUrl} />
              ),
              Shipped: <ExactTime at={shippedAt} />,
              Delivered: deliveredAt && <ExactTime at={deliveredAt} />,
              Items: !isWhole && lines.length > 0 && <Units order={order} lines={lines} />,
            }}
          />
        </Card>
      ))}
    </>
  );
};

/** A stored address may be older than its check. A browser would run `javascript:` addresses. */
const Tracking = ({ number, url }: { number: string | null; url: string | null }) =>
  url === null || !isWebAddress(url) ? (
    <>{number}</>
  ) : (
    <a href={url} rel="noopener noreferrer external">
      {number ?? 'Track the parcel'}
    </a>
  );

const Units = ({ order, lines }: Props & { lines: readonly LineQuantity[] }) => (
  <>
    {lines.map(({ line, quantity }) => (
      <div>
        {quantity} × {order.items.find((item) => item.line === line)?.name}
      </div>
    ))}
  </>
);

const STATES: Record<OrderReturn['state'], [StateKind, string]> = {
  requested: ['info', 'Requested'],
  received: ['accent', 'Received'],
  refused: ['bad', 'Refused'],
};

export const ReturnCards = ({ order }: Props) => (
  <>
    {order.returns.map(({ returnNumber, state, reason, note, requestedAt, decision, refunded, lines }) => {
      const [kind, word] = STATES[state];
      return (
        <Card title={`Return ${returnNumber}`} actions={<StateLabel kind={kind}>{word}</StateLabel>}>
          <Facts
            of={{
              Items: <Units order={order} lines={lines} />,
              Reason: [reason, note].filter((text) => text !== null).join(': '),
              Requested: <ExactTime at={requestedAt} />,
              Answer: decision,
              Refunded: refunded > 0 && <Money minor={refunded} currency={order.currency} />,
            }}
          />
        </Card>
      );
    })}
  </>
);

export const isReturnable = ({ items }: OrderDetails) => allUnits(items, 'returned').length > 0;

const REASONS = [
  'Arrived damaged',
  'Wrong item',
  'Not as described',
  'Not wanted any more',
  'Another reason',
].map((reason) => ({ value: reason, text: reason }));

/** A form has at most 100 fields. */
const MOST_LINES = 90;

const LINE = /^line_(\d{1,3})$/;

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
      <Card>
        <Form action={returnPath(order.orderNumber)} hidden={{ key }}>
          {possible.slice(0, MOST_LINES).map(({ line, quantity }) => {
            const { name, sku, variation } = order.items.find((item) => item.line === line)!;
            return (
              <Field
                label={variation === null ? name : `${name}, ${variation}`}
                hint={`${sku}: up to ${quantity}`}
                name={`line_${line}`}
                value="0"
                inputmode="numeric"
                maxlength={6}
                autocomplete="off"
              />
            );
          })}
          {possible.length > MOST_LINES && (
            <p>
              For the other items, ask <Wholesaler />.
            </p>
          )}
          <Select label="Reason" name="reason" options={REASONS} required />
          <Field label="Note for the wholesaler" name="note" maxlength={500} autocomplete="off" />
          <Button kind="primary">Ask for the return</Button>
        </Form>
      </Card>
    ),
  };
}

export interface ReturnForm {
  /** The typed quantities by field. */
  quantities: Record<string, string>;
  reason: string;
  note: string;
  key: string;
}

export function readReturnForm(fields: FormFields): ReturnForm {
  const names = Object.keys(fields).filter((name) => LINE.test(name));
  return {
    quantities: Object.fromEntries(names.map((name) => [name, textIn(fields, name).trim()])),
    reason: textIn(fields, 'reason'),
    note: textIn(fields, 'note'),
    key: textIn(fields, 'key'),
  };
}

/** The chosen units. Wrong quantities become errors of their fields. */
export function unitsIn(order: OrderDetails, quantities: ReturnForm['quantities']): LineQuantity[] {
  const possible = new Map(allUnits(order.items, 'returned').map(({ line, quantity }) => [line, quantity]));
  const units = Object.entries(quantities).map(([field, text]) => {
    const line = Number(LINE.exec(field)![1]);
    const most = possible.get(line) ?? 0;
    const quantity = text === '' ? 0 : Number(text);
    const isFine = Number.isInteger(quantity) && quantity >= 0 && quantity <= most;
    return { field, line, quantity, fault: isFine ? undefined : `must be a whole number from 0 to ${most}` };
  });
  // Another person may have asked for it since the form was opened.
  const gone = units.find(({ line, quantity }) => quantity > 0 && !possible.has(line));
  if (gone) throw new DomainError('conflict', `Line ${gone.line} of the order cannot be returned now.`);
  const faults = units.filter(({ fault }) => fault !== undefined);
  const chosen = units.filter(({ quantity }) => quantity > 0);
  if (faults.length === 0 && chosen.length === 0 && units[0])
    faults.push({ ...units[0], fault: 'must be more than 0 for at least one item' });
  if (faults.length === 0) return chosen.map(({ line, quantity }) => ({ line, quantity }));
  const errors = faults.map(({ field, fault }) => ({ field, code: 'invalid', message: fault! }));
  throw new DomainError('invalid_value', 'Some quantities are wrong.', { errors });
}
