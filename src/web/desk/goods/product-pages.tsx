import type { ComponentProps } from 'preact';
import {
  CATALOG_COLUMNS,
  type CatalogColumn,
  type ExportedProduct,
  isAmount,
  PRODUCT_FIELDS,
} from '../../../modules/catalog/catalog-columns.js';
import { GST_TREATMENTS, type GstTreatment } from '../../../modules/tax/goods-law.js';
import type { RowChange } from '../../../shared/imports/import-report.js';
import { OPTION_LABELS } from '../../../shared/imports/option-labels.js';
import { ButtonLink, Checks, Field } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Facts } from '../../../shared/ui/components/layout.js';
import { ListCard, titleColumn } from '../../../shared/ui/components/lists.js';
import { EndTime, ExactTime } from '../../../shared/ui/components/values.js';
import type { Page } from '../../../shared/ui/page.js';
import { FieldGroup, fieldFacts } from '../../../shared/ui/record.js';
import type { LoggedChange } from '../../../modules/plans/change-log.repository.js';
import type { PlanPriceRow } from '../../../modules/plans/plan-prices.repository.js';
import type { PriceOfProduct } from '../../../modules/plans/prices-to-come.repository.js';
import type { ProductStock } from '../../../modules/stock/stock-administration.service.js';
import { Description, Pictures } from '../../shared/pictures.js';
import { type Effects, renderChange, reviewedForm } from '../action.js';
import { LackedNotice } from '../clients/clients-pages.js';
import { authorName, labelOf } from '../words.js';
import { GOODS, goodsPricePath, goodsRatePath, goodsStockPath, productPath, upcomingPath } from '../paths.js';
import { amountText, changeColumns, NO_CHANGES, SaleState } from './goods-page.js';
import { RemoveForm, UploadForm } from './pictures-pages.js';
import { VARIATIONS } from './stock-pages.js';

interface ProductProps {
  product: ExportedProduct;
  stock: ProductStock;
  prices: readonly PlanPriceRow[];
  upcoming: readonly PriceOfProduct[];
  changes: readonly LoggedChange[];
  currency: string;
  /** Follows the names of prices. */
  priceNote: string;
  /** Missing data for an invoice. */
  lacked: string | undefined;
}

const text = (value: string | boolean) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : value);

export function productPage({
  product,
  stock,
  prices,
  upcoming,
  changes,
  currency,
  priceNote,
  lacked,
}: ProductProps): Page {
  const sku = text(product.sku);
  const amount = (numeric: string) => amountText(numeric, currency);
  return {
    title: text(product.name),
    lead: (
      <>
        {sku} <SaleState active={product.active === true || product.active === 'true'} />
      </>
    ),
    back: { href: GOODS, text: 'Goods' },
    actions: <ButtonLink href={`${productPath(sku)}/edit`}>Edit</ButtonLink>,
    content: (
      <>
        <LackedNotice lacked={lacked} />
        <div class="columns">
          <Card
            title="Product"
            actions={
              product.gst_rate !== '' && (
                <ButtonLink href={goodsRatePath(sku)}>Change the GST rate</ButtonLink>
              )
            }
          >
            <Facts
              of={fieldFacts(
                PRODUCT_FIELDS,
                CATALOG_COLUMNS.filter((column) => !SEPARATE_COLUMNS.has(column)),
                (column) => {
                  const value = text(product[column]);
                  if (column === 'details_url')
                    return (
                      value !== '' && (
                        <a href={value} rel="noreferrer">
                          {value}
                        </a>
                      )
                    );
                  if (value !== '' && column === 'gst_treatment')
                    return GST_TREATMENTS[value as GstTreatment];
                  return value !== '' && (isAmount(column) ? amount(value) : value);
                },
              )}
            />
          </Card>
          <Pictures
            of={{ images: text(product.images).split(' ').filter(Boolean), name: text(product.name) }}
            actions={(image) => <RemoveForm sku={sku} image={image} />}
          >
            <UploadForm sku={sku} />
          </Pictures>
        </div>
        <ListCard
          title="Stock"
          actions={<ButtonLink href={goodsStockPath(sku)}>Count, correct, movements</ButtonLink>}
          columns={VARIATIONS}
          rows={stock.variations}
          empty=""
        />
        <ListCard
          title={`Prices${priceNote}`}
          actions={<ButtonLink href={goodsPricePath(sku)}>Change the base price</ButtonLink>}
          columns={[
            { heading: 'Plan', as: 'title', cell: ({ name }) => name },
            {
              heading: 'How',
              cell: ({ fixed, discount }) =>
                fixed === null ? `${discount} % off the base price` : 'Fixed price',
            },
            { heading: 'Price', align: 'end', as: 'amount', cell: ({ price }) => amount(price) },
            { heading: '', cell: ({ plan }) => <a href={goodsPricePath(sku, plan)}>Change</a> },
          ]}
          rows={prices}
          empty={<p class="empty">There is no plan yet.</p>}
        />
        <ListCard
          title={`Upcoming prices${priceNote}, and rates`}
          columns={[
            titleColumn('Change', ({ change }: PriceOfProduct) => ({
              text: `Change ${change}`,
              href: upcomingPath(change),
            })),
            {
              heading: 'Price',
              cell: ({ plan, isRate }) => {
                if (isRate) return 'GST rate';
                return plan === null ? 'Base price' : `Plan ${plan}`;
              },
            },
            { heading: 'From', cell: ({ from }) => <ExactTime at={from} /> },
            { heading: 'To', cell: ({ to }) => (to === null ? 'It stays' : <EndTime at={to} />) },
            { heading: 'By', cell: ({ actor }) => authorName(actor) },
            {
              heading: 'New price',
              align: 'end',
              as: 'amount',
              cell: ({ value, isRate }) => {
                if (isRate) return `${Number(value)} %`;
                return value === null ? 'By the discount' : amount(value);
              },
            },
          ]}
          rows={upcoming}
        />
        <Description text={text(product.description)} />
        <ListCard
          title="Who changed its prices"
          columns={changeColumns(currency, new Map(prices.map(({ plan, name }) => [plan, name])))}
          rows={changes}
          empty={<Empty>{NO_CHANGES}</Empty>}
        />
      </>
    ),
  };
}

/** Columns with a card of their own. */
const SEPARATE_COLUMNS: ReadonlySet<CatalogColumn> = new Set([
  'sku',
  'name',
  'description',
  'images',
  'active',
]);

const ACCEPT = [
  {
    value: 'yes',
    text: OPTION_LABELS.force,
    hint: 'A price of 0, or a change by more than 50 %',
  },
];

export const AcceptUnusual = () => <Checks label="Checks" name="force" options={ACCEPT} values={[]} />;

const GROUPS: readonly [title: string, columns: readonly CatalogColumn[]][] = [
  ['What it is', ['sku', 'name', 'category', 'description', 'variations']],
  ['Stock and price', ['base_price', 'delivery_charge', 'low_stock', 'active']],
  ['On the web', ['images', 'details_url']],
  ['Weight and packing', ['weight_grams', 'shelf', 'barcode']],
];
const GROUPED = new Set(GROUPS.flatMap(([, columns]) => columns));

const ALL_GROUPS = [
  ...GROUPS,
  ['Tax and label', CATALOG_COLUMNS.filter((column) => !GROUPED.has(column))],
] as const;

const ProductFields = ({
  priceNote,
  ...fields
}: { priceNote: string } & Pick<
  ComponentProps<typeof FieldGroup<CatalogColumn>>,
  'typed' | 'hint' | 'readOnly'
>) => (
  <>
    {ALL_GROUPS.map(([title, names]) => (
      <FieldGroup
        title={names.includes('base_price') ? `${title}${priceNote}` : title}
        of={PRODUCT_FIELDS}
        names={names}
        {...fields}
      />
    ))}
  </>
);

/** `typed`: the values of an edit conflict. Each field shows the stored value beside the typed one. */
export function editPage(
  product: ExportedProduct,
  priceNote: string,
  typed?: Partial<Record<CatalogColumn, string>>,
): Page {
  const sku = text(product.sku);
  const back = { href: productPath(sku), text: text(product.name) };
  const stored = (column: CatalogColumn) => text(product[column]);
  const hint = (column: CatalogColumn) =>
    typed?.[column] === undefined || typed[column] === stored(column)
      ? undefined
      : `Stored now: ${stored(column) || '(empty)'}`;
  return reviewedForm({
    title: `Edit ${text(product.name)}`,
    lead: sku,
    back,
    hidden: { was: product.was },
    fields: (
      <>
        <ProductFields priceNote={priceNote} typed={stored} hint={hint} readOnly="sku" />
        <AcceptUnusual />
      </>
    ),
  });
}

export const newProductPage = (priceNote: string): Page =>
  reviewedForm({
    title: 'New product',
    lead: 'You see everything once more before it is added. Its stock comes next.',
    back: { href: GOODS, text: 'Goods' },
    fields: (
      <>
        <ProductFields priceNote={priceNote} typed={startOf} hint={hintOfNew} />
        <AcceptUnusual />
      </>
    ),
  });

const hintOfNew = (column: CatalogColumn) =>
  column === 'images'
    ? `${PRODUCT_FIELDS.images.hint}. You can upload pictures on the product’s page once it is saved.`
    : undefined;

const startOf = (column: CatalogColumn) => (column === 'active' ? 'yes' : '');

/** The label of a column. */
export function changeEffects(fields: RowChange['fields']): Effects {
  const formatValue = (column: string, value: string | null) => {
    if (column === 'active' && value !== null) return text(value === 'true');
    return isUnknown(column, value) ? null : value;
  };
  return Object.fromEntries(
    fields.map(([column, from, to]) => [
      labelOf(column),
      renderChange(formatValue(column, from), formatValue(column, to)),
    ]),
  );
}

/** These are stored as 0 if they are not known. */
const isUnknown = (column: string, value: string | null) =>
  (column === 'weight_grams' || column === 'mrp') && Number(value) === 0;

export const valueEffects = (values: Partial<Record<CatalogColumn, string>>): Effects =>
  Object.fromEntries(Object.entries(values).map(([column, value]) => [labelOf(column), value || null]));

const FromField = ({ hint = 'Empty: now.' }) => <Field label="From" name="from" type="date" hint={hint} />;

/** The first and the last day of a price or a discount. */
export const DatesFields = ({ what, fromHint }: { what: string; fromHint?: string }) => (
  <>
    <FromField hint={fromHint} />
    <Field
      label="To"
      name="to"
      type="date"
      hint={`The last day. The earlier ${what} returns after it. Empty: it stays.`}
    />
  </>
);

export function ratePage({ sku, gst_rate: rate, was }: ExportedProduct): Page {
  const back = { href: productPath(String(sku)), text: String(sku) };
  return reviewedForm({
    title: `GST rate of ${String(sku)}`,
    lead: rate === '' ? 'It has none yet.' : `It is ${String(rate)} % now.`,
    back,
    hidden: { was },
    fields: (
      <>
        <Field
          label="New rate in percent"
          name="gst_rate"
          inputmode="decimal"
          value={String(rate)}
          required
        />
        <FromField />
      </>
    ),
  });
}

export interface PriceForm {
  sku: string;
  /** Undefined: the base price. */
  plan: PlanPriceRow | undefined;
  basePrice: string;
  was: string;
  currency: string;
  /** Follows the names of prices. */
  priceNote: string;
}

export function pricePage({ sku, plan, basePrice, was, currency, priceNote }: PriceForm): Page {
  const back = { href: productPath(sku), text: sku };
  return reviewedForm({
    title: plan ? `Price of ${sku} in plan ${plan.name}` : `Base price of ${sku}`,
    lead: `It is ${amountText(plan?.price ?? basePrice, currency)}${priceNote && `${priceNote},`} now.`,
    back,
    hidden: { was },
    fields: (
      <>
        <Field
          label={`New price${priceNote}`}
          name="price"
          inputmode="decimal"
          value={plan ? (plan.fixed ?? '') : basePrice}
          hint={plan && `Empty: no fixed price, but ${plan.discount} % off the base price.`}
        />
        <DatesFields what="price" />
        <AcceptUnusual />
      </>
    ),
  });
}
