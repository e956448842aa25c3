import { Get, Inject } from '@nestjs/common';
import { ProductSearch } from '../../../catalog/product-search.repository.js';
import { ClientAdministrationService } from '../../../clients/client-administration.service.js';
import { TaxDocumentsService } from '../../../invoices/tax-documents.service.js';
import { OrderDeskService } from '../../../orders/records/order-desk.service.js';
import { normaliseOrderNumber } from '../../../orders/rules/order-number.js';
import { wordIn } from '../../../pages/forms.js';
import { type Reply, seeOther } from '../../../pages/page.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import { onePage } from '../../../platform/lists/bounded-lists.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DeskPages, Visit } from '../desk-pages.js';
import { orderPath } from '../paths.js';
import { groupsOf, LONGEST_SEARCH, searchPage } from './search-page.js';

/** The lists of the page stay short; each links to its whole. */
const SHOWN = 8;

/** One search over all that a person may see. */
@DeskPages('search', 'packer')
export class SearchController {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly products: ProductSearch,
    private readonly clients: ClientAdministrationService,
    private readonly documents: TaxDocumentsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async search(@Visit() { me, fields }: Visit): Promise<Reply> {
    const text = wordIn(fields, 'q', LONGEST_SEARCH);
    if (text === undefined) return searchPage();
    const isStaff = hasRole(me, 'staff');
    // Packers see no order that was never paid.
    const seen = isStaff ? {} : ({ wasPaid: true } as const);
    const most = SHOWN + 1;
    const [orders, products, clients, documents] = await Promise.all([
      this.orders.search({ ...seen, search: text }, most),
      this.products.find({ text }, 0, most),
      isStaff ? this.clients.list({ search: text }, most) : [],
      isStaff ? this.documents.newest({ search: text }, most) : [],
    ]);
    const [order] = orders ?? [];
    if (order && normaliseOrderNumber(text) !== null) return seeOther(orderPath(order.orderNumber));
    const product = products.find(({ sku }) => sku.toLowerCase() === text.toLowerCase());
    const withProduct = product && (await this.orders.search({ ...seen, productId: product.id }, most));
    const groups = groupsOf({
      text,
      isStaff,
      currency: this.settings.currency,
      orders: orders && onePage(orders, SHOWN),
      products: onePage(isStaff ? products : [], SHOWN),
      clients: onePage(clients, SHOWN),
      documents: onePage(documents, SHOWN),
      ordered: product && { sku: product.sku, found: withProduct && onePage(withProduct, SHOWN) },
    });
    const hits = groups.flatMap(({ found }) => found?.rows.map(({ href }) => href) ?? [undefined]);
    return hits.length === 1 && hits[0] !== undefined ? seeOther(hits[0]) : searchPage({ text, groups });
  }
}
