import type { GoodsToPack } from '../../../modules/fulfilment/packing/packing-lines.repository.js';
import {
  codeOf,
  type ParcelContents,
  type PackedGoods,
} from '../../../modules/fulfilment/packing/pack-goods.js';
import type { DeskOrderPage } from '../../../modules/orders/records/order-desk.service.js';
import { allUnits } from '../../../modules/orders/rules/order-units.js';
import { ButtonLink, RowCheckbox, DownloadLink, FormCard } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Notice, WithAside } from '../../../shared/ui/components/layout.js';
import { type ListColumn, countColumn, ListCard, titleColumn } from '../../../shared/ui/components/lists.js';
import { countOf, formatNumber } from '../../../platform/formats.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import { DeliveryCard } from '../../shared/order-cards.js';
import { pictureColumn } from '../../shared/pictures.js';
import { ReviewButtons } from '../action.js';
import { CodeForm } from '../code-form.js';
import { ShipmentFields } from '../orders/parcel-actions.js';
import { orderPath, packingPath, packPath, slipsPath } from '../paths.js';
import { formatVariation } from '../../../read-model/products/variations.js';

export const OLD_SLIPS_HINT =
  'Ships also orders that were changed after their slips were printed. Look at each parcel first.';

/** Finds an order of the list by its number, or by goods that it needs. */
export const ScanForm = ({ list, value }: { list: number; value: string }) => (
  <CodeForm
    action={packingPath(list)}
    label="Order number, the store’s id, SKU or barcode"
    placeholder="Scan an order or a product"
    value={value}
    button="Find"
    autofocus
  />
);

const picture = pictureColumn<GoodsToPack>((row) => row.picture);

const shelf: ListColumn<GoodsToPack> = {
  heading: 'Shelf',
  nowrap: true,
  cell: ({ shelf: text }) => <strong>{text || 'no shelf'}</strong>,
};

const goods: ListColumn<GoodsToPack> = titleColumn('Goods', ({ name, sku, variation }) => ({
  text: variation === '' ? name : `${name}, ${formatVariation(variation)}`,
  detail: sku,
}));

const tick: ListColumn<GoodsToPack> = {
  heading: '',
  as: 'choice',
  cell: (row) => (
    <RowCheckbox name="taken" value={codeOf(row)} label={`Taken: ${codeOf(row)}`} form="goods" />
  ),
};

/** All goods of a list in one walk along the shelves. */
export function goodsPage(list: number, rows: readonly GoodsToPack[]): Page {
  const units = rows.reduce((sum, row) => sum + row.units, 0);
  const path = packingPath(list);
  return {
    title: `Goods of list ${list}: ${countOf(units, 'unit', 'units')}`,
    lead: 'By shelf. This device remembers what is ticked.',
    back: { href: path, text: `List ${list}` },
    content: (
      <form id="goods" data-ticks={`list-${list}`}>
        <ListCard
          caption={`Goods of list ${list}`}
          columns={[
            tick,
            shelf,
            picture,
            goods,
            countColumn<GoodsToPack>('Units', (row) => row.units),
            countColumn<GoodsToPack>('Orders', (row) => row.orders),
          ]}
          rows={rows}
          empty={<Empty next={{ href: path, text: `List ${list}` }}>Nothing is left to pack.</Empty>}
        />
      </form>
    ),
  };
}

interface PackProps {
  list: number;
  order: DeskOrderPage;
  goods: readonly PackedGoods<GoodsToPack>[];
  contents: ParcelContents;
  refusal?: string;
  /** The courier of the previous parcel. */
  courier: string | undefined;
}

/** An order with an old slip is not packed before the new slip is printed. */
function newSlipPage(list: number, order: DeskOrderPage): Page {
  const { orderNumber } = order;
  return {
    title: `${orderNumber} needs a new slip`,
    lead: 'Its delivery or its units were changed after the print. Throw the old slip or label away.',
    back: { href: packingPath(list), text: `List ${list}` },
    actions: (
      <>
        <ButtonLink href={orderPath(orderNumber)}>The order</ButtonLink>
        <DownloadLink href={slipsPath(list, { order: orderNumber })}>New slip</DownloadLink>
        <DownloadLink href={slipsPath(list, { order: orderNumber, layout: 'label' })}>New label</DownloadLink>
        <ButtonLink href={packPath(list, orderNumber)} kind="primary">
          Pack with the new slip
        </ButtonLink>
      </>
    ),
    content: (
      <>
        <Notice kind="warn">Print again what was printed before: the slip, the label or both.</Notice>
        <DeliveryCard order={order} />
      </>
    ),
  };
}

/** One order of a list: its goods are scanned or ticked, then it is shipped. */
export function packPage({ list, order, goods: rows, contents, refusal, courier }: PackProps): Page {
  if (order.isSlipOld) return newSlipPage(list, order);
  const { orderNumber, client, customerName, shippingCity, items } = order;
  const path = packPath(list, orderNumber);
  const sum = (of: 'units' | 'inside') => rows.reduce((total, row) => total + row[of], 0);
  const isFull = sum('inside') === sum('units');
  const lines = allUnits(items, 'shipped').map(({ line, quantity }) => [`line_${line}`, String(quantity)]);
  const ticked: ListColumn<PackedGoods<GoodsToPack>> = {
    heading: 'In the parcel',
    as: 'state',
    cell: (row) => (
      <ButtonLink href={withQuery(path, { in: contents, tick: codeOf(row) })}>
        {row.inside === row.units ? '✓ ' : ''}
        {`${formatNumber(row.inside)} of ${formatNumber(row.units)}`}
        <span class="unseen">{` ${codeOf(row)}`}</span>
      </ButtonLink>
    ),
  };
  return {
    title: isFull
      ? `All ${formatNumber(sum('units'))} units of ${orderNumber} are in`
      : `Pack ${orderNumber}: ${formatNumber(sum('inside'))} of ${formatNumber(sum('units'))} units are in`,
    lead: `${customerName}, ${shippingCity}. An order of ${client}.`,
    back: { href: packingPath(list), text: `List ${list}` },
    actions: (
      <>
        <ButtonLink href={orderPath(orderNumber)}>The order</ButtonLink>
        <DownloadLink href={slipsPath(list, { order: orderNumber })}>Slip</DownloadLink>
        <DownloadLink href={slipsPath(list, { order: orderNumber, layout: 'label' })}>Label</DownloadLink>
        <ButtonLink href={withQuery(`${orderPath(orderNumber)}/ship`, { list, in: contents })}>
          Ship a part
        </ButtonLink>
      </>
    ),
    ...(refusal !== undefined && { refusal, status: 422 }),
    content: (
      <WithAside
        aside={
          <FormCard
            title="Ship"
            action={`${orderPath(orderNumber)}/ship`}
            hidden={{
              ...Object.fromEntries(lines),
              list: String(list),
              ...(contents !== '' && { in: contents }),
            }}
          >
            <ShipmentFields courier={courier} focus={isFull} />
            <ReviewButtons />
          </FormCard>
        }
      >
        <Card>
          <CodeForm
            label="SKU or barcode of a product"
            placeholder="Scan a product"
            action={path}
            hidden={{ in: contents }}
            button="Put in"
            autofocus={!isFull}
          />
        </Card>
        <ListCard caption={`Goods of ${orderNumber}`} columns={[shelf, picture, goods, ticked]} rows={rows} />
        {isFull && <Notice kind="accent">The parcel has all goods of the order. Ship it.</Notice>}
        <DeliveryCard order={order} />
      </WithAside>
    ),
  };
}
