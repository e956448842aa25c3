import type { CatalogPage, ProductAtPrice } from '../../../modules/catalog/catalog-browser.service.js';
import type { Sought } from '../../../modules/catalog/product-matcher.js';
import { DownloadLink, FilterSelect } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Facts } from '../../../shared/ui/components/layout.js';
import {
  amounts,
  type Column,
  FORWARD,
  ListCard,
  Pager,
  SearchForm,
  titles,
} from '../../../shared/ui/components/lists.js';
import { moneyIn, StateLabel } from '../../../shared/ui/components/values.js';
import { countOf, formatNumber } from '../../../shared/ui/formats.js';
import { placeIn, textIn } from '../../../shared/ui/forms.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { Description, Pictures } from '../../shared/pictures.js';
import { Wholesaler } from '../home/help-page.js';
import { CATALOG } from '../paths.js';

interface Props {
  page: CatalogPage;
  sought: Sought;
  after: number | undefined;
  /** The plan's name. */
  plan: string;
  currency: string;
}

export function catalogPage({ page, sought, after, plan, currency }: Props): Page {
  const isSought = Object.keys(sought).length > 0;
  return {
    title: titleOf(page, isSought),
    lead: `Your prices in plan ${plan}, with the stock available now.`,
    actions: <DownloadLink href={`${CATALOG}.csv`}>Export CSV</DownloadLink>,
    content: (
      <>
        <Search sought={sought} categories={page.categories} />
        <ListCard
          caption="Products"
          columns={columnsIn(currency)}
          rows={page.products}
          empty={
            isSought ? (
              <Empty next={{ href: CATALOG, text: 'Show all products' }}>
                No product matches. Try part of a SKU, a name or a category.
              </Empty>
            ) : (
              <Empty>The wholesaler has no products for sale at the moment.</Empty>
            )
          }
          pager={
            <Pager words={FORWARD} at={after} next={page.next} path={(from) => catalogPath(sought, from)} />
          }
        />
      </>
    ),
  };
}

/** Without a subscription there are no prices to show. */
export function withoutPlanPage(): Page {
  return {
    title: 'You have no active subscription',
    lead: 'Your plan decides which products you see and what they cost.',
    content: (
      <Card>
        <Empty next={{ href: '/dashboard/plan', text: 'See your plan' }}>
          <p>
            Ask <Wholesaler /> for a subscription. The catalog appears when it starts.
          </p>
        </Empty>
      </Card>
    ),
  };
}

const Search = ({ sought, categories }: { sought: Sought; categories: readonly string[] }) => (
  <SearchForm
    action={CATALOG}
    name="search"
    label="SKU, name or category"
    placeholder="SKU, name or category"
    value={sought.text}
  >
    {categories.length > 1 && (
      <FilterSelect
        name="category"
        label="Category"
        all="All categories"
        options={categories.map((category) => ({ value: category, text: category }))}
        chosen={sought.category}
      />
    )}
    <label class="choice">
      <input type="checkbox" name="in_stock" value="yes" checked={sought.inStock ?? false} />
      <span>In stock</span>
    </label>
  </SearchForm>
);

function columnsIn(currency: string): Column<ProductAtPrice>[] {
  return [
    titles('Product', ({ sku, name }) => ({ text: name, href: productPath(sku), detail: sku })),
    { heading: 'Category', cell: ({ category }) => category },
    { heading: 'Available', align: 'end', cell: ({ stock }) => <StockLabel stock={stock} /> },
    amounts('Delivery', currency, ({ deliveryCharge }) => deliveryCharge),
    amounts('Your price', currency, ({ price }) => price, 'amount'),
  ];
}

function titleOf({ matching, total }: CatalogPage, isSought: boolean): string {
  const found = countOf(matching, 'product', 'products');
  return isSought ? `${found} of ${formatNumber(total)}` : `${found} at your prices`;
}

const LONGEST_TEXT = 200;

/** Parts of the address that make no sense are ignored. */
export function readCatalogQuery(query: FormFields): Pick<Props, 'sought' | 'after'> {
  const text = textIn(query, 'search').slice(0, LONGEST_TEXT).trim();
  const category = textIn(query, 'category');
  return {
    sought: {
      ...(text !== '' && { text }),
      ...(category !== '' && { category }),
      ...(textIn(query, 'in_stock') === 'yes' && { inStock: true }),
    },
    after: placeIn(query, 'after'),
  };
}

function catalogPath({ text, category, inStock }: Sought, after?: number): string {
  return withQuery(CATALOG, { search: text, category, in_stock: inStock ? 'yes' : undefined, after });
}

export function productPath(sku: string): string {
  return `${CATALOG}/${encodeURIComponent(sku)}`;
}

const StockLabel = ({ stock }: { stock: number }) =>
  stock === 0 ? <StateLabel kind="bad">Sold out</StateLabel> : <>{formatNumber(stock)}</>;

export function productPage(product: ProductAtPrice, currency: string): Page {
  const money = moneyIn(currency);
  return {
    title: product.name,
    back: { href: CATALOG, text: 'Catalog' },
    content: (
      <>
        <div class="columns">
          <Card title="Price and stock">
            <Facts
              of={{
                'Your price': <strong>{money(product.price)}</strong>,
                Delivery: <>{money(product.deliveryCharge)} per order, for any quantity</>,
                Available: <StockLabel stock={product.stock} />,
                SKU: <code>{product.sku}</code>,
                Category: product.category !== '' && (
                  <a href={catalogPath({ category: product.category })}>{product.category}</a>
                ),
              }}
            />
          </Card>
          <Pictures of={product} />
        </div>
        {product.variations.length > 0 && <Variations product={product} />}
        <Description text={product.description} />
      </>
    ),
  };
}

const Variations = ({ product: { variations, variationStocks } }: { product: ProductAtPrice }) => (
  <ListCard
    title={`Comes in ${formatNumber(Object.keys(variationStocks).length)} variations`}
    caption="Variations"
    columns={[
      {
        heading: variations.map(({ name }) => name).join(' / '),
        as: 'title',
        cell: ([key]) => valuesOf(key),
      },
      { heading: 'Key', cell: ([key]) => <code>{key}</code> },
      { heading: 'Available', align: 'end', as: 'amount', cell: ([, stock]) => <StockLabel stock={stock} /> },
    ]}
    rows={Object.entries(variationStocks)}
  />
);

/** Writes `Color:Navy|Size:M` as `Navy / M`, the form that an order may use. */
function valuesOf(key: string): string {
  return key
    .split('|')
    .map((pair) => pair.slice(pair.indexOf(':') + 1))
    .join(' / ');
}
