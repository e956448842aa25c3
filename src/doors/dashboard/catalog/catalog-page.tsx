import type { CatalogPage, ProductAtPrice } from '../../../catalog/catalog-browser.service.js';
import type { Sought } from '../../../catalog/product-matcher.js';
import { withQuery } from '../../../pages/addresses.js';
import { ButtonLink } from '../../../pages/components/button.js';
import { Checkbox } from '../../../pages/components/form.js';
import { Icon } from '../../../pages/components/icon.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { Pager, SearchForm } from '../../../pages/components/lists.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { Money, StateLabel } from '../../../pages/components/values.js';
import { textIn } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { countOf } from '../count-of.js';
import { placeIn } from '../paths.js';

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
    actions: (
      <ButtonLink href="/dashboard/catalog.csv" download>
        <Icon name="download" />
        Export CSV
      </ButtonLink>
    ),
    content: (
      <>
        <Search sought={sought} categories={page.categories} />
        <Card flush>
          {page.products.length === 0 ? (
            <NothingFound isSought={isSought} />
          ) : (
            <Table caption="Products" columns={columnsIn(currency)} rows={page.products} />
          )}
          <Pager
            newest={after === undefined ? undefined : catalogPath(sought)}
            older={page.next === undefined ? undefined : catalogPath(sought, page.next)}
            words={{ newest: 'First page', older: 'Next page' }}
          />
        </Card>
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
        <Empty action={<ButtonLink href="/dashboard/plan">See your plan</ButtonLink>}>
          Ask the wholesaler for a subscription. The catalog appears when it starts.
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
      <select name="category" aria-label="Category">
        <option value="">All categories</option>
        {categories.map((category) => (
          <option value={category} selected={category === sought.category}>
            {category}
          </option>
        ))}
      </select>
    )}
    <Checkbox name="in_stock" label="In stock" checked={sought.inStock ?? false} />
  </SearchForm>
);

const NothingFound = ({ isSought }: { isSought: boolean }) =>
  isSought ? (
    <Empty action={<ButtonLink href={CATALOG}>Show all products</ButtonLink>}>
      No product matches. Try part of a SKU, a name or a category.
    </Empty>
  ) : (
    <Empty>The wholesaler has no products for sale at the moment.</Empty>
  );

function columnsIn(currency: string): Column<ProductAtPrice>[] {
  return [
    {
      heading: 'Product',
      as: 'title',
      cell: ({ sku, name }) => (
        <>
          <a href={productPath(sku)}>{name}</a>
          <small>{sku}</small>
        </>
      ),
    },
    { heading: 'Category', cell: ({ category }) => category },
    { heading: 'Available', align: 'end', cell: ({ stock }) => <StockLabel stock={stock} /> },
    {
      heading: 'Delivery',
      align: 'end',
      cell: ({ deliveryCharge }) => <Money minor={deliveryCharge} currency={currency} />,
    },
    {
      heading: 'Your price',
      align: 'end',
      as: 'amount',
      cell: ({ price }) => <Money minor={price} currency={currency} />,
    },
  ];
}

function titleOf({ matching, total }: CatalogPage, isSought: boolean): string {
  const found = countOf(matching, 'product', 'products');
  return isSought ? `${found} of ${total.toLocaleString('en-IN')}` : `${found} at your prices`;
}

const LONGEST_TEXT = 200;

export interface CatalogQuery {
  sought: Sought;
  after: number | undefined;
}

/** Parts of the address that make no sense are ignored. */
export function readCatalogQuery(query: FormFields): CatalogQuery {
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

export function catalogPath({ text, category, inStock }: Sought, after?: number): string {
  return withQuery(CATALOG, { search: text, category, in_stock: inStock ? 'yes' : undefined, after });
}

export const CATALOG = '/dashboard/catalog';

export function productPath(sku: string): string {
  return `${CATALOG}/${encodeURIComponent(sku)}`;
}

export const StockLabel = ({ stock }: { stock: number }) =>
  stock === 0 ? <StateLabel kind="bad">Sold out</StateLabel> : <>{stock.toLocaleString('en-IN')}</>;
