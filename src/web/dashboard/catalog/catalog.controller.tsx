import { productPath, CATALOG, NEW_ORDER } from '../paths.js';
import { Get, Inject, type StreamableFile } from '@nestjs/common';
import {
  CatalogBrowser,
  PRICE_LIST_COLUMNS,
  type CatalogPage,
  type ProductAtPrice,
} from '../../../modules/catalog/catalog-browser.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import { PlanService } from '../../../modules/plans/plan.service.js';
import { type ClientPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { PlanView } from '../../../read-model/products/plan-view.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import type { ProductFilter } from '../../../modules/catalog/product-matcher.js';
import { ButtonLink, DownloadLink, FilterSelect } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Facts } from '../../../shared/ui/components/layout.js';
import {
  amountColumn,
  type ListColumn,
  FORWARD,
  ListCard,
  Pager,
  SearchForm,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import { moneyRenderer, StateLabel } from '../../../shared/ui/components/values.js';
import { countOf, formatNumber } from '../../../platform/formats.js';
import { pageMarkIn, textIn } from '../../../shared/ui/forms.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { itemText } from '../../shared/order-entry-pages.js';
import { Description, pictureColumn, Pictures } from '../../shared/pictures.js';
import { Wholesaler } from '../home/help-page.js';

/** The catalog at the client's prices. */
@DashboardPages()
export class CatalogPagesController {
  constructor(
    private readonly catalog: CatalogBrowser,
    private readonly plans: PlanService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('catalog')
  async list(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Page> {
    const plan = this.plans.activeView(me.clientId);
    if (!plan) return withoutPlanPage();
    const { filter, after } = readCatalogQuery(fields);
    const page = await this.catalog.page(plan, filter, after);
    const priceNote = await this.sellers.priceNote();
    const isFiltered = Object.keys(filter).length > 0;
    return {
      title: titleOf(page, isFiltered),
      lead: `Your prices in plan ${plan.name}, with the stock available now.`,
      actions: <DownloadLink href={`${CATALOG}.csv`}>Export CSV</DownloadLink>,
      content: (
        <>
          <Search filter={filter} categories={page.categories} />
          <ListCard
            caption="Products"
            columns={columnsIn(this.settings.currency, priceNote)}
            rows={page.products}
            empty={
              isFiltered ? (
                <Empty next={{ href: CATALOG, text: 'Show all products' }}>
                  No product matches. Try part of a SKU, a name or a category.
                </Empty>
              ) : (
                <Empty>The wholesaler has no products for sale at the moment.</Empty>
              )
            }
            pager={
              <Pager words={FORWARD} at={after} next={page.next} path={(from) => catalogPath(filter, from)} />
            }
          />
        </>
      ),
    };
  }

  @Get('catalog.csv')
  file(@ClientPageRequest() { owner, me }: ClientPageRequest): Promise<StreamableFile> {
    return csvResponse(owner, 'catalog', PRICE_LIST_COLUMNS, this.catalog.priceList(this.planOf(me)));
  }

  @Get('catalog/:sku')
  async product(@ClientPageRequest() { me, sku }: ClientPageRequest<'sku'>): Promise<Page> {
    const product = this.catalog.product(this.planOf(me), sku);
    const priceNote = await this.sellers.priceNote();
    const money = moneyRenderer(this.settings.currency);
    return {
      title: product.name,
      actions: hasRole(me, 'buyer') && (
        <ButtonLink
          href={withQuery(
            NEW_ORDER,
            product.variations.length === 0
              ? { add: itemText(product.sku, 1, null) }
              : { search: product.sku },
          )}
        >
          Add to an order
        </ButtonLink>
      ),
      back: { href: CATALOG, text: 'Catalog' },
      content: (
        <>
          <div class="columns">
            <Card title="Price and stock">
              <Facts
                of={{
                  [`Your price${priceNote}`]: <strong>{money(product.price)}</strong>,
                  [`Delivery${priceNote}`]: <>{money(product.deliveryCharge)} once in each order with it</>,
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

  private planOf({ clientId }: ClientPerson): PlanView {
    const plan = this.plans.activeView(clientId);
    if (plan) return plan;
    throw new DomainError('subscription_inactive', 'You need an active subscription to see prices.');
  }
}

/** Without a subscription there are no prices to show. */
function withoutPlanPage(): Page {
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

const Search = ({ filter, categories }: { filter: ProductFilter; categories: readonly string[] }) => (
  <SearchForm
    action={CATALOG}
    name="search"
    label="SKU, name or category"
    placeholder="SKU, name or category"
    value={filter.text}
  >
    {categories.length > 1 && (
      <FilterSelect
        name="category"
        label="Category"
        all="All categories"
        options={categories.map((category) => ({ value: category, text: category }))}
        selected={filter.category}
      />
    )}
    <label class="choice">
      <input type="checkbox" name="in_stock" value="yes" checked={filter.inStock ?? false} />
      <span>In stock</span>
    </label>
  </SearchForm>
);

/** `priceNote` follows the names of prices. */
function columnsIn(currency: string, priceNote: string): ListColumn<ProductAtPrice>[] {
  return [
    pictureColumn(({ images: [first = null] }) => first),
    titleColumn('Product', ({ sku, name }) => ({ text: name, href: productPath(sku), detail: sku })),
    { heading: 'Category', cell: ({ category }) => category },
    { heading: 'Available', align: 'end', cell: ({ stock }) => <StockLabel stock={stock} /> },
    amountColumn(`Delivery${priceNote}`, currency, ({ deliveryCharge }) => deliveryCharge),
    amountColumn(`Your price${priceNote}`, currency, ({ price }) => price, 'amount'),
  ];
}

function titleOf({ matching, total }: CatalogPage, isFiltered: boolean): string {
  const label = countOf(matching, 'product', 'products');
  return isFiltered ? `${label} of ${formatNumber(total)}` : `${label} at your prices`;
}

const MAX_TEXT_LENGTH = 200;

/** Parts of the address that make no sense are ignored. */
function readCatalogQuery(query: FormFields): { filter: ProductFilter; after: number | undefined } {
  const text = textIn(query, 'search').slice(0, MAX_TEXT_LENGTH).trim();
  const category = textIn(query, 'category');
  return {
    filter: {
      ...(text !== '' && { text }),
      ...(category !== '' && { category }),
      ...(textIn(query, 'in_stock') === 'yes' && { inStock: true }),
    },
    after: pageMarkIn(query, 'after'),
  };
}

function catalogPath({ text, category, inStock }: ProductFilter, after?: number): string {
  return withQuery(CATALOG, { search: text, category, in_stock: inStock ? 'yes' : undefined, after });
}

const StockLabel = ({ stock }: { stock: number }) =>
  stock === 0 ? <StateLabel kind="bad">Sold out</StateLabel> : <>{formatNumber(stock)}</>;

const Variations = ({ product: { variations, variationStocks } }: { product: ProductAtPrice }) => (
  <ListCard
    title={`Comes in ${formatNumber(Object.keys(variationStocks).length)} variations`}
    caption="Variations"
    columns={[
      {
        heading: variations.map(({ name }) => name).join(' / '),
        as: 'title',
        cell: ([key]) => formatValues(key),
      },
      { heading: 'Key', cell: ([key]) => <code>{key}</code> },
      { heading: 'Available', align: 'end', as: 'amount', cell: ([, stock]) => <StockLabel stock={stock} /> },
    ]}
    rows={Object.entries(variationStocks)}
  />
);

/** Writes `Color:Navy|Size:M` as `Navy / M`, the form that an order may use. */
function formatValues(key: string): string {
  return key
    .split('|')
    .map((pair) => pair.slice(pair.indexOf(':') + 1))
    .join(' / ');
}
