import type { ProductSearchRow } from '../../../modules/catalog/product-search.repository.js';
import { ButtonLink, DownloadLink } from '../../../shared/ui/components/controls.js';
import { Empty } from '../../../shared/ui/components/layout.js';
import {
  type ListColumn,
  countColumn,
  ListCard,
  Tabs,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import { LoggedValue, StateLabel, RelativeTime } from '../../../shared/ui/components/values.js';
import { countOf, formatCount, formatMoney } from '../../../platform/formats.js';
import { ListPage, type QueryOf } from '../../../shared/ui/list-page.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import {
  type BoundedCount,
  countOfAll,
  type FirstRows,
  type OnePage,
  toBoundedCount,
} from '../../../platform/lists/bounded-lists.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { capitalised } from '../../../platform/validation/texts.js';
import type { LoggedChange } from '../../../modules/plans/change-log.repository.js';
import type { LowStock } from '../../../modules/stock/stock-holdings.repository.js';
import { pictureColumn } from '../../shared/pictures.js';
import { CodeForm } from '../code-form.js';
import {
  BASE_PRICES,
  GOODS,
  productPath,
  goodsStockPath,
  IMPORTS,
  LOW_STOCK,
  NEW_PRODUCT,
  PICTURES,
  PRICE_CHANGES,
  PRICES,
} from '../paths.js';
import { authorName, labelOf, valueWords } from '../words.js';
import { formatVariation } from '../../../read-model/products/variations.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';

export const amountText = (numeric: string, currency: string) =>
  formatMoney(minorFromNumeric(numeric), currency);

export const GoodsTabs = ({ at }: { at: string }) => (
  <Tabs
    label="Goods"
    at={at}
    tabs={[
      { href: GOODS, text: 'Products' },
      { href: LOW_STOCK, text: 'Low stock' },
      { href: PRICES, text: 'Plans and prices' },
      { href: PRICE_CHANGES, text: 'Changes' },
    ]}
  />
);

/** The names of plans by their codes. */
export type PlanNames = ReadonlyMap<string, string>;

interface GoodsContext {
  me: DeskPerson;
  currency: string;
  priceNote: string;
}

export const FOUND_BY = 'SKU, name, category or barcode';

/** Finds the stock of the next product by a scan. `action` stays chosen there. */
export const StockScanForm = ({ action, autofocus }: { action?: string; autofocus?: boolean }) => (
  <CodeForm
    label={FOUND_BY}
    placeholder="Scan or search a product"
    action={GOODS}
    hidden={action === undefined ? {} : { action }}
    button="Find"
    autofocus={autofocus}
  />
);

export const SALE_STATES = [
  { value: 'active', text: 'For sale' },
  { value: 'inactive', text: 'Not for sale' },
  { value: 'untaxed', text: 'For sale, without tax data' },
] as const;

export const PRODUCT_LIST = new ListPage({
  path: GOODS,
  caption: 'Products',
  filters: {
    search: { as: 'search', label: FOUND_BY, maxLength: 200, follows: true },
    state: {
      as: 'choice',
      label: 'State',
      all: 'All products',
      options: SALE_STATES,
    },
  },
  mark: { name: 'after', kind: 'number', of: ({ id }: ProductSearchRow) => id },
  columns: ({ me, currency, priceNote }: GoodsContext): ListColumn<ProductSearchRow>[] => [
    pictureColumn(({ picture }) => picture),
    titleColumn('Product', ({ sku, name }) => ({
      text: name,
      href: may(me, 'keep goods and prices') ? productPath(sku) : goodsStockPath(sku),
      detail: sku,
    })),
    { heading: 'Category', cell: ({ category }) => category },
    countColumn('On hand', ({ on_hand }) => on_hand),
    countColumn('Held', ({ held }) => held),
    may(me, 'see amounts')
      ? {
          heading: `Base price${priceNote}`,
          align: 'end',
          as: 'amount',
          cell: ({ base_price }) => amountText(base_price, currency),
        }
      : { heading: 'Shelf', nowrap: true, cell: ({ shelf }) => shelf },
    { heading: 'State', as: 'state', cell: ({ active }) => <SaleState active={active} /> },
  ],
  empty: {
    none: 'No products yet.',
    noMatch: 'No product matches. Try part of a SKU, a name or a category.',
    all: { text: 'Show all products' },
  },
});

type Selected = QueryOf<typeof PRODUCT_LIST>['selected'];

export const productFilter = ({ search: text, state }: Selected) => ({
  text,
  active: state && state !== 'inactive',
  lacksTaxData: state === 'untaxed',
});

interface GoodsProps {
  count: BoundedCount;
  /** Chosen before the product is scanned. */
  action: string | undefined;
  query: QueryOf<typeof PRODUCT_LIST>;
  result: OnePage<ProductSearchRow>;
  context: GoodsContext;
}

/** A packer has one field: a code that names a product opens its stock, and any other text is searched. */
export function goodsPage({ count: { count, orMore }, action, ...list }: GoodsProps): Page {
  const { search, state } = list.query.selected;
  const found = countOf(count, 'product', 'products').replace(' ', orMore ? '+ ' : ' ');
  if (!may(list.context.me, 'keep goods and prices'))
    return {
      title: 'Goods',
      lead: search === undefined ? found : `${found} for “${search}”`,
      content: (
        <>
          <StockScanForm action={action} autofocus />
          {PRODUCT_LIST.card(list)}
        </>
      ),
    };
  return PRODUCT_LIST.page({
    title: 'Goods',
    lead: (
      <span id="found-count" role="status">
        {found}
      </span>
    ),
    actions: (
      <>
        <DownloadLink href={`${GOODS}/catalog.csv`}>Catalog CSV</DownloadLink>
        <DownloadLink href={`${GOODS}/stock.csv`}>Stock CSV</DownloadLink>
        <ButtonLink href={withQuery(IMPORTS, { kind: 'catalog' })}>Import a file</ButtonLink>
        <ButtonLink href={PICTURES}>Pictures</ButtonLink>
        <ButtonLink href={NEW_PRODUCT}>New product</ButtonLink>
      </>
    ),
    above: (
      <>
        <GoodsTabs at={GOODS} />
        {state === 'untaxed' && (
          <p class="small">
            Fill in HSN codes and GST rates of many in the Catalog CSV, and import it: they count at once.
          </p>
        )}
      </>
    ),
    card: {
      actions: (
        <ButtonLink href={withQuery(BASE_PRICES, { search, state })}>Change prices or GST rates</ButtonLink>
      ),
    },
    ...list,
  });
}

export const SaleState = ({ active }: { active: boolean }) => (
  <StateLabel kind={active ? 'accent' : 'quiet'}>{active ? 'For sale' : 'Not for sale'}</StateLabel>
);

export const More = ({ more, children }: { more: number; children: string }) =>
  more > 0 ? (
    <p class="small">
      {`And ${formatCount(toBoundedCount(more))} more. `}
      {children}
    </p>
  ) : null;

export const lowColumns = (pathOf: (sku: string) => string): ListColumn<LowStock>[] => [
  titleColumn('Product', ({ sku, name, variation }) => ({
    text: name,
    href: pathOf(sku),
    detail: [sku, formatVariation(variation)].filter(Boolean).join(', '),
  })),
  countColumn('On hand', ({ on_hand }) => on_hand),
  countColumn('Held', ({ held }) => held),
  countColumn('For sale', ({ for_sale }) => for_sale),
  countColumn('Threshold', ({ below }) => below),
];

interface LowProps {
  low: FirstRows<LowStock>;
  below: number;
}

export function lowStockPage({ low, below }: LowProps): Page {
  const { rows, more } = low;
  const all = countOfAll(low);
  return {
    title:
      all.count === 0
        ? 'No product is running out'
        : `${formatCount(all)} ${all.count === 1 ? 'product is' : 'products are'} running out`,
    lead: 'Fewer are for sale than the threshold of the product, which you set on its page.',
    actions: <DownloadLink href={withQuery(`${LOW_STOCK}.csv`, { below })}>CSV</DownloadLink>,
    content: (
      <>
        <GoodsTabs at={LOW_STOCK} />
        <form class="search" action={LOW_STOCK}>
          <label>
            Threshold of products without one{' '}
            <input type="text" name="below" inputMode="numeric" value={below} />
          </label>
          <button class="button plain">Show</button>
        </form>
        <ListCard
          caption="Products that are running out"
          columns={lowColumns(goodsStockPath)}
          rows={rows}
          empty={<Empty>Every product with a threshold has enough.</Empty>}
        />
        <More more={more}>The CSV file has all.</More>
      </>
    ),
  };
}

/** The log names "gold", "gold MUG" and "client 3 plan gold". A deleted plan has only this code. */
function changedThing({ subject, name }: LoggedChange, plans: PlanNames): string {
  if (subject === 'product') return name;
  const words = name.split(' ');
  const at = subject === 'subscription' ? words.length - 1 : 0;
  words[at] = plans.get(words[at]!) ?? words[at]!;
  return words.join(' ');
}

export const changeColumns = (currency: string, plans: PlanNames): ListColumn<LoggedChange>[] => [
  {
    heading: 'What',
    as: 'title',
    cell: (change) => `${capitalised(change.subject)} ${changedThing(change, plans)}`,
  },
  { heading: 'Old → new', cell: (change) => <Differences of={change} currency={currency} /> },
  { heading: 'By', cell: ({ actor }) => authorName(actor) },
  { heading: 'When', as: 'state', cell: ({ changed_at: at }) => <RelativeTime at={at} /> },
];

export const NO_CHANGES = 'No price was changed yet.';

/** As on the form of a subscription. */
const SUBSCRIPTION_LABELS: Readonly<Record<string, string>> = { starts_at: 'From', ends_at: 'Until' };

function differencesIn({ before, after }: LoggedChange, currency: string) {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .filter((field) => before?.[field] !== after?.[field])
    .map((field) => ({
      label: SUBSCRIPTION_LABELS[field] ?? labelOf(field),
      from: valueWords(field, before?.[field], currency),
      to: valueWords(field, after?.[field], currency),
      // People know the end of a subscription by its last day.
      isEnd: field === 'ends_at',
    }));
}

/** "Base price: ₹240.00 → ₹250.00", for each changed field. */
export const differencesOf = (change: LoggedChange, currency: string): string[] =>
  differencesIn(change, currency).map(({ label, from, to }) => `${label}: ${from} → ${to}`);

const Differences = ({ of: change, currency }: { of: LoggedChange; currency: string }) => (
  <>
    {differencesIn(change, currency).map(({ label, from, to, isEnd }, at) => (
      <>
        {at > 0 && ', '}
        {label}: <LoggedValue of={from} isEnd={isEnd} /> → <LoggedValue of={to} isEnd={isEnd} />
      </>
    ))}
  </>
);
