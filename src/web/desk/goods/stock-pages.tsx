import type { StockEvent } from '../../../modules/orders/ordered-goods.repository.js';
import {
  Choices,
  DownloadLink,
  Field,
  FilterSelect,
  FormCard,
  Select,
} from '../../../shared/ui/components/controls.js';
import { Empty } from '../../../shared/ui/components/layout.js';
import { type ListColumn, countColumn, ListCard, titleColumn } from '../../../shared/ui/components/lists.js';
import { ExactTime } from '../../../shared/ui/components/values.js';
import { formatNumber } from '../../../platform/formats.js';
import { oneOf, textIn } from '../../../shared/ui/forms.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { FirstRows } from '../../../platform/lists/bounded-lists.js';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import {
  forSale,
  MAX_ON_HAND,
  onHandAfter,
  parseOnHand,
  parseStockChange,
} from '../../../modules/stock/rules/on-hand.js';
import type { ProductStock, VariationStock } from '../../../modules/stock/stock-administration.service.js';
import { GOODS, productPath, goodsStockPath } from '../paths.js';
import { renderChange, type Review, ReviewButtons } from '../action.js';
import { authorName } from '../words.js';
import { More, StockScanForm } from './goods-page.js';
import { formatVariation } from '../../../read-model/products/variations.js';

export const STOCK_ACTIONS = ['count', 'receive'] as const;

type StockAction = (typeof STOCK_ACTIONS)[number];

/** The typed values and the stock row of the variation. */
export interface StockForm {
  action: StockAction;
  quantity: number;
  reason: string;
  row: VariationStock;
}

interface Props {
  stock: ProductStock;
  /** Only movements of this variation are shown. */
  variation: string | undefined;
  history: FirstRows<StockEvent>;
  mayKeep: boolean;
  /** Chosen before the product was scanned. */
  action: StockAction | undefined;
  /** What was just done, and is likely to be done with the next product. */
  next: StockAction | undefined;
}

export const VARIATIONS: ListColumn<VariationStock>[] = [
  titleColumn('Variation', ({ variation }) => ({ text: formatVariation(variation) || 'Product' })),
  countColumn('On hand', ({ on_hand }) => on_hand),
  countColumn('Held', ({ held }) => held),
  countColumn('For sale', ({ for_sale }) => for_sale),
];

const signed = (change: number) =>
  change === 0 ? '' : `${change > 0 ? '+' : '−'}${formatNumber(Math.abs(change))}`;

export function stockPage({ stock, variation, mayKeep, action, next, history: { rows, more } }: Props): Page {
  const { sku, name, shelf, variations } = stock;
  const path = goodsStockPath(sku);
  const options = variations.map((row) => ({
    value: row.variation,
    text: `${formatVariation(row.variation) || 'Product'}: ${formatNumber(row.on_hand)} on hand`,
  }));
  return {
    title: `${formatNumber(stock.for_sale)} of ${name} for sale`,
    lead:
      `${sku}: ${formatNumber(stock.on_hand)} on hand, ${formatNumber(stock.held)} held.` +
      (shelf === '' ? '' : ` Shelf ${shelf}.`),
    back: mayKeep ? { href: productPath(sku), text: name } : { href: GOODS, text: 'Goods' },
    content: (
      <>
        <StockScanForm action={next ?? action} autofocus={action === undefined} />
        <ListCard
          caption="Stock"
          columns={VARIATIONS}
          rows={variations}
          empty={<Empty>It has no stock record.</Empty>}
        />
        <FormCard title="Count or correct" action={path}>
          {variations.length > 1 && (
            <Select label="Variation" name="variation" options={options} value={variation} required />
          )}
          <Choices
            label="What happened"
            name="action"
            value={next ?? action ?? ''}
            required
            options={[
              { value: 'count', text: 'I counted them', hint: 'The number on hand becomes this number' },
              {
                value: 'receive',
                text: 'Goods came in, or are lost',
                hint: 'Added to the number on hand; with a minus, removed',
              },
            ]}
          />
          <Field
            label="Number"
            name="quantity"
            inputmode="numeric"
            maxlength={12}
            required
            autofocus={action !== undefined}
          />
          <Field label="Reason" name="reason" maxlength={200} hint="Such as breakage. Not for a count." />
          <ReviewButtons />
        </FormCard>
        <ListCard
          title="Movements"
          actions={
            <>
              {variations.length > 1 && (
                <form class="search" action={path}>
                  <FilterSelect
                    name="variation"
                    label="Variation"
                    all="All variations"
                    options={variations.map((row) => ({
                      value: row.variation,
                      text: formatVariation(row.variation),
                    }))}
                    selected={variation}
                  />
                  <button class="button plain">Show</button>
                </form>
              )}
              {mayKeep && <DownloadLink href={withQuery(`${path}.csv`, { variation })}>CSV</DownloadLink>}
            </>
          }
          columns={[
            { heading: 'When', as: 'title', cell: ({ moved_at: at }) => <ExactTime at={at} /> },
            ...(variations.length > 1
              ? [{ heading: 'Variation', cell: (event: StockEvent) => formatVariation(event.variation) }]
              : []),
            { heading: 'Change', align: 'end', cell: (event: StockEvent) => signed(event.on_hand_change) },
            countColumn('On hand', ({ on_hand }: StockEvent) => on_hand),
            { heading: 'Held change', align: 'end', cell: (event: StockEvent) => signed(event.held_change) },
            countColumn('Held', ({ held }: StockEvent) => held),
            { heading: 'Reason', cell: ({ reason }: StockEvent) => reason },
            { heading: 'By', cell: ({ actor }: StockEvent) => authorName(actor) },
          ]}
          rows={rows}
          empty={<Empty>Nothing has moved yet.</Empty>}
        />
        <More more={more}>The CSV file has all.</More>
      </>
    ),
  };
}

/** Reports all errors at once, each at its field. */
export function readStockForm(fields: FormFields, { variations }: ProductStock): StockForm {
  const action = oneOf(fields, 'action', STOCK_ACTIONS);
  const variation = textIn(fields, 'variation');
  const row =
    variations.length === 1 ? variations[0] : variations.find((each) => each.variation === variation);
  const isCount = action === 'count';
  const reason = textIn(fields, 'reason').trim();
  const quantity = (isCount ? parseOnHand : parseStockChange)(textIn(fields, 'quantity'));
  const faults = {
    // 40 units that came in must not become the count.
    ...(!action && { action: 'choose one' }),
    ...(!row && { variation: 'must be one of the list' }),
    ...(quantity === undefined &&
      action && {
        quantity: `must be a whole number such as ${isCount ? '12' : '12 or -3'}, at most ${MAX_ON_HAND}`,
      }),
    // The import of older counts knows a count by its reason.
    ...(isCount && reason !== '' && { reason: 'must be empty for a count' }),
  };
  const errors = Object.entries(faults).map(([field, message]) => ({
    field,
    code: 'invalid_value',
    message,
  }));
  if (errors.length > 0) throw validationFailed(errors);
  return { action: action!, quantity: quantity!, reason, row: row! };
}

/** What the person typed, not its result. */
function buttonOf(action: StockAction, quantity: number): string {
  if (action === 'count') return `Set to ${formatNumber(quantity)} on hand`;
  return quantity < 0 ? `Take off ${formatNumber(-quantity)}` : `Add ${formatNumber(quantity)}`;
}

export function stockReview({ sku }: ProductStock, { action, quantity, reason, row }: StockForm): Review {
  const { on_hand: before, held, variation } = row;
  const onHand = onHandAfter(before, action === 'count' ? quantity - before : quantity);
  const called = variation === '' ? sku : `${sku}, ${formatVariation(variation)}`;
  const figures = (from: number, to: number) => renderChange(formatNumber(from), formatNumber(to));
  return {
    title:
      onHand === before
        ? `The count of ${called} is as it was`
        : `Change the stock of ${called} by ${signed(onHand - before)}?`,
    effects: {
      'On hand': figures(before, onHand),
      Held: formatNumber(held),
      'For sale': figures(row.for_sale, forSale({ onHand, held })),
      Reason: reason !== '' && reason,
    },
    warnings: onHand < held ? ['Fewer would be on hand than orders hold: none is for sale.'] : [],
    reviewedFields: { expected: String(before) },
    button: buttonOf(action, quantity),
  };
}
