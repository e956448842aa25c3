import { Get, Inject } from '@nestjs/common';
import { ProductSearch } from '../../../modules/catalog/product-search.repository.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { RequestHistory } from '../../../modules/request-log/kept-requests/request-history.repository.js';
import { ReturnsRepository } from '../../../modules/fulfilment/returns/returns.repository.js';
import { TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import { OrderDeskRepository } from '../../../modules/orders/records/order-desk.repository.js';
import type { DeskOrderRow } from '../../../modules/orders/records/order-record.js';
import { normaliseOrderNumber } from '../../../modules/orders/rules/order-number.js';
import { Card, Empty } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard, titleColumn } from '../../../shared/ui/components/lists.js';
import { searchTextIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther, withQuery } from '../../../shared/ui/page.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';
import { ExactTime, ShortNumber } from '../../../shared/ui/components/values.js';
import { onePage, type OnePage } from '../../../platform/lists/bounded-lists.js';
import { resolveAll } from '../../../platform/resolve-all.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { describeDocument } from '../../../modules/invoices/document-words.js';
import { documentPath } from '../../shared/documents-page.js';
import { OrderState } from '../../shared/order-cards.js';
import { refusalWords } from '../today/refusal-words.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { amountText } from '../goods/goods-page.js';
import {
  clientPath,
  clientPaths,
  CLIENTS,
  DOCUMENT_PATHS,
  GOODS,
  goodsStockPath,
  INVOICES,
  orderPath,
  ORDERS,
  productPath,
  returnPath,
} from '../paths.js';

/** The lists of the page stay short; each links to its whole. */
const MAX_HITS = 8;

/** One more shows that there are others. */
const LIMIT = MAX_HITS + 1;

/** One search over all that a person may see. */
@DeskPages('search')
export class SearchController {
  constructor(
    private readonly orders: OrderDeskRepository,
    private readonly products: ProductSearch,
    private readonly clients: ClientAdministrationService,
    private readonly documents: TaxDocumentsService,
    private readonly returns: ReturnsRepository,
    private readonly requests: RequestHistory,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async search(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const text = searchTextIn(fields, 'q', MAX_SEARCH_LENGTH);
    if (text === undefined) return searchPage();
    const results = await this.findAll(me, text);
    const product = results.products.find(
      ({ sku, barcode }) => sku.toLowerCase() === text.toLowerCase() || barcode === text,
    );
    const [order, otherOrder] = results.orders ?? [];
    const isExact = !product && !otherOrder && order?.storeOrderId === text;
    if (order && (isExact || normaliseOrderNumber(text) !== null))
      return seeOther(orderPath(order.orderNumber));
    const ordered = product && {
      sku: product.sku,
      found: await this.orders.search({ ...visibleTo(me), productId: product.id }, LIMIT),
    };
    const groups = groupsOf({ ...results, me, text, currency: this.settings.currency, ordered });
    const hits = groups.flatMap(({ found }) => found?.rows.map(({ href }) => href) ?? [undefined]);
    return hits.length === 1 && hits[0] !== undefined ? seeOther(hits[0]) : searchPage({ text, groups });
  }

  findAll(me: DeskPerson, text: string) {
    return resolveAll({
      returns: this.returns.findNamed(text),
      orders: this.orders.search({ ...visibleTo(me), search: text }, LIMIT),
      products: this.products.find({ text }, 0, LIMIT),
      clients: may(me, 'see clients') ? this.clients.list({ search: text }, LIMIT) : [],
      documents: may(me, 'keep payments and books') ? this.documents.newest({ search: text }, LIMIT) : [],
      requests: may(me, 'see requests of stores') ? this.requests.findFailed(text, LIMIT) : [],
    });
  }
}

const visibleTo = (me: DeskPerson) => (may(me, 'see all orders') ? {} : ({ wasPaid: true } as const));

const MAX_SEARCH_LENGTH = 100;

interface Hit {
  href: string;
  text: preact.ComponentChildren;
  detail: string;
  /** Such as the customer, or the category. */
  about: string;
  state?: preact.ComponentChildren;
}

interface Group {
  title: string;
  /** Undefined: too many match to find them in time. */
  found: OnePage<Hit> | undefined;
  /** The list with all of them. */
  all?: string;
}

interface SearchResults extends Awaited<ReturnType<SearchController['findAll']>> {
  text: string;
  me: DeskPerson;
  currency: string;
  /** Orders with the product whose SKU or barcode was searched. */
  ordered: { sku: string; found: DeskOrderRow[] | undefined } | undefined;
}

/** The groups with hits. */
function groupsOf({ text, me, currency, ordered, ...found }: SearchResults): Group[] {
  const listOf = (path: string, query: object = {}) => withQuery(path, { search: text, ...query });
  const groups: Group[] = [
    {
      title: 'Returns',
      found: hitsOf(found.returns, ({ number, order_number: order, client }) => ({
        href: returnPath(number),
        text: <ShortNumber of={number} />,
        detail: `Of ${order}`,
        about: client,
      })),
    },
    {
      title: 'Orders',
      found: hitsOf(found.orders, orderHit),
      all: may(me, 'see all orders') ? listOf(ORDERS, { status: 'all' }) : undefined,
    },
    ...(ordered ? [{ title: `Orders with ${ordered.sku}`, found: hitsOf(ordered.found, orderHit) }] : []),
    {
      title: 'Products',
      found: hitsOf(found.products, (product) => ({
        href: may(me, 'keep goods and prices') ? productPath(product.sku) : goodsStockPath(product.sku),
        text: product.name,
        detail: product.sku,
        about: product.category,
        state: may(me, 'see amounts') ? amountText(product.base_price, currency) : product.shelf,
      })),
      all: listOf(GOODS),
    },
    {
      title: 'Clients',
      found: hitsOf(found.clients, ({ id, name, email, domains }) => ({
        href: clientPath(id),
        text: name,
        detail: domains.join(', ') || email,
        about: `Client ${id}`,
      })),
      all: listOf(CLIENTS),
    },
    {
      title: 'Documents',
      found: hitsOf(found.documents, (document) => ({
        href: documentPath(DOCUMENT_PATHS, document.number),
        text: document.number,
        detail: describeDocument(document),
        about: [document.client, document.order_number].filter(Boolean).join(', '),
      })),
      all: listOf(INVOICES),
    },
    {
      title: 'Refused requests of stores',
      found: hitsOf(found.requests, (request) => ({
        href: `${clientPaths(request.client_id).requests}/${request.id}`,
        text: request.named,
        detail: refusalWords(request.code, request.reasons[0]?.message ?? null),
        about: request.client,
        state: <ExactTime at={request.answered_at} />,
      })),
    },
  ];
  return groups.filter((group) => group.found === undefined || group.found.rows.length > 0);
}

const hitsOf = <Row,>(found: readonly Row[] | undefined, hit: (row: Row) => Hit) =>
  found && onePage(found.map(hit), MAX_HITS);

const orderHit = (order: DeskOrderRow): Hit => ({
  href: orderPath(order.orderNumber),
  text: <ShortNumber of={order.orderNumber} />,
  detail: [order.storeOrderId, order.trackingNumber].filter(Boolean).join(', '),
  about: `${order.customerName}, ${order.shippingCity} · ${order.client}`,
  state: <OrderState order={order} />,
});

const COLUMNS: ListColumn<Hit>[] = [
  titleColumn('Hit', ({ href, text, detail }) => ({ text, href, detail: detail === '' ? null : detail })),
  { heading: 'About', as: 'line', cell: ({ about }) => about },
  { heading: 'State', as: 'state', cell: ({ state }) => state },
];

const NARROW = 'Too many orders match. Add a word of the name, or search for a whole number.';

const ADVICE =
  'Search for the number of an order or a return, the store’s id, a customer’s name, phone number or city, ' +
  'a tracking number, a SKU or a barcode. A part of a word has at least three letters. An order that ' +
  'a store could not place lately is found by the store’s id or the request’s; an older one among the ' +
  'requests of its client.';

function searchPage({ text, groups }: { text?: string; groups: Group[] } = { groups: [] }): Page {
  if (text === undefined) return { title: 'Search', content: <Card>{ADVICE}</Card> };
  return {
    title: groups.length === 0 ? `Nothing matches “${text}”` : `Search for “${text}”`,
    content:
      groups.length === 0 ? (
        <Card>
          <Empty>{ADVICE}</Empty>
        </Card>
      ) : (
        groups.map(({ title, found, all }) => (
          <ListCard
            title={title}
            actions={found?.last && all && <a href={all}>All that match</a>}
            columns={COLUMNS}
            rows={found?.rows ?? []}
            empty={<Empty>{NARROW}</Empty>}
          />
        ))
      ),
  };
}
