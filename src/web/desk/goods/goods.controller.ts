import { DEFAULT_LOW_STOCK_THRESHOLD, parseOnHand } from '../../../modules/stock/rules/on-hand.js';
import { actorOf } from '../../../modules/audit/actor-of.js';
import {
  CATALOG_COLUMNS,
  CATALOG_EXPORT_COLUMNS,
  EDITABLE_COLUMNS,
} from '../../../modules/catalog/catalog-columns.js';
import { PRICE_WITHOUT_GST } from '../../../modules/catalog/catalog-import.js';
import { CatalogFiles } from '../../../modules/catalog/catalog-files.service.js';
import {
  ProductAdministration,
  type ProductChange,
} from '../../../modules/catalog/product-administration.service.js';
import { ProductSearch } from '../../../modules/catalog/product-search.repository.js';
import type { RowFault } from '../../../shared/imports/import-kind.js';
import { replaceFlags } from '../../../shared/imports/option-labels.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { OrderedGoods, STOCK_EVENT_COLUMNS } from '../../../modules/orders/ordered-goods.repository.js';
import { countOf } from '../../../platform/formats.js';
import { oneOf, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther, withQuery } from '../../../shared/ui/page.js';
import { readRecord } from '../../../shared/ui/record.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { ChangeLog } from '../../../modules/plans/change-log.repository.js';
import { PriceFiles } from '../../../modules/plans/price-files.service.js';
import { PricesToCome } from '../../../modules/plans/prices-to-come.repository.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { firstRows } from '../../../platform/lists/bounded-lists.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { authorWords, labelOf } from '../words.js';
import { plainTime } from '../../../platform/time/time.js';
import {
  LOW_STOCK_COLUMNS,
  StockAdministration,
} from '../../../modules/stock/stock-administration.service.js';
import { StockFiles } from '../../../modules/stock/stock-files.service.js';
import { STOCK_EXPORT_COLUMNS } from '../../../modules/stock/stock-import.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { codeIn } from '../code-form.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { GOODS, goodsStockPath, productPath } from '../paths.js';
import { takeStep } from '../action.js';
import { differencesOf, goodsPage, lowStockPage, PRODUCT_LIST, productFilter } from './goods-page.js';
import { editPage, changeEffects, valueEffects, newProductPage, productPage } from './product-pages.js';
import { readStockForm, STOCK_ACTIONS, stockPage, stockReview } from './stock-pages.js';
import { Get, Inject, Post, type StreamableFile } from '@nestjs/common';
import { missingTaxData } from '../../../modules/tax/goods-law.js';
import { formatVariation } from '../../../read-model/products/variations.js';

const MAX_ROWS = 100;

const COMPARE = 'Compare the values and send them again.';
const MAX_CHANGES = 20;

/** The catalog and the stock. */
@DeskPages('goods')
export class GoodsController {
  constructor(
    private readonly search: ProductSearch,
    private readonly products: ProductAdministration,
    private readonly catalogFiles: CatalogFiles,
    private readonly stock: StockAdministration,
    private readonly stockFiles: StockFiles,
    private readonly orderedGoods: OrderedGoods,
    private readonly prices: PriceFiles,
    private readonly upcoming: PricesToCome,
    private readonly changes: ChangeLog,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** With a code: the stock of the product that it names, or what matches. */
  @Get()
  async list(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const [code, action] = [codeIn(fields), oneOf(fields, 'action', STOCK_ACTIONS)];
    if (code !== undefined) {
      const sku = await this.search.skuOf(code);
      return seeOther(
        sku === undefined
          ? withQuery(GOODS, { search: code, action })
          : withQuery(goodsStockPath(sku), { action }),
      );
    }
    const query = PRODUCT_LIST.read(fields);
    const filter = productFilter(query.selected);
    const [found, count] = await Promise.all([
      PRODUCT_LIST.find((limit) => this.search.find(filter, query.mark, limit)),
      this.search.count(filter),
    ]);
    const { currency } = this.settings;
    const context = { me, currency, priceNote: await this.sellers.priceNote() };
    return goodsPage({ count, action, query, result: found, context });
  }

  @Get('catalog.csv')
  catalogFile(@DeskPageRequest() { owner }: DeskPageRequest): Promise<StreamableFile> {
    return csvResponse(owner, 'catalog', CATALOG_EXPORT_COLUMNS, this.catalogFiles.export());
  }

  @Get('stock.csv')
  stockFile(@DeskPageRequest() { owner }: DeskPageRequest): Promise<StreamableFile> {
    return csvResponse(owner, 'stock', STOCK_EXPORT_COLUMNS, this.stockFiles.export());
  }

  @Get('low')
  async low(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    const below = belowIn(fields);
    return lowStockPage({ low: await firstRows(this.stock.low(below, MAX_ROWS)), below });
  }

  @Get('low.csv')
  lowFile(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    return csvResponse(owner, 'low-stock', LOW_STOCK_COLUMNS, this.stock.low(belowIn(fields)));
  }

  @Get('new')
  async newForm(): Promise<Page> {
    return newProductPage(await this.sellers.priceNote());
  }

  @Post('new')
  @TakesForm({ isLong: true })
  add(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const { sku: typedSku = '', ...values } = readRecord(CATALOG_COLUMNS, fields);
    const sku = typedSku.trim();
    const options = changeOptions(me, fields);
    return takeStep(fields, {
      back: { href: GOODS, text: 'Goods' },
      form: () => this.newForm(),
      review: async () => {
        const warnings = await this.products.previewNew(sku, values, options);
        return {
          title: `Add ${sku}?`,
          effects: valueEffects({ sku, ...values }),
          warnings: warnings.map(sentence),
          button: 'Add the product',
        };
      },
      run: async () => {
        await this.products.add(sku, values, options);
        return seeOther(goodsStockPath(sku), `${sku} is in the catalog. Count its stock here.`);
      },
    });
  }

  @Get('products/:sku')
  async product(@DeskPageRequest() { sku }: DeskPageRequest<'sku'>): Promise<Page> {
    const [product, stock, prices, upcoming, changes] = await Promise.all([
      this.products.show(sku),
      this.stock.show(sku),
      this.prices.ofProduct(sku),
      this.upcoming.ofProduct(sku),
      this.changes.newest({ sku }, MAX_CHANGES),
    ]);
    const { currency } = this.settings;
    const priceNote = await this.sellers.priceNote();
    const { hsn, gst_rate: rate } = product;
    const isTaxOn = await this.sellers.isTaxOn();
    const lacked = isTaxOn
      ? missingTaxData({ hsn: String(hsn), rate: String(rate) }, this.settings)
      : undefined;
    return productPage({ product, stock, prices, upcoming, changes, currency, priceNote, lacked });
  }

  @Get('products/:sku/edit')
  async editForm(@DeskPageRequest() { sku }: DeskPageRequest<'sku'>): Promise<Page> {
    return editPage(await this.products.show(sku), await this.sellers.priceNote());
  }

  @Post('products/:sku/edit')
  @TakesForm({ isLong: true })
  edit(@DeskPageRequest() { me, sku, fields }: DeskPageRequest<'sku'>): Promise<Reply> {
    const [change, was] = [readRecord(EDITABLE_COLUMNS, fields), textIn(fields, 'was')];
    const options = changeOptions(me, fields);
    const back = { href: productPath(sku), text: sku };
    return takeStep(fields, {
      back,
      form: (error) => this.redisplayEdit(error, sku, was, change),
      review: async () => {
        const { change: rowChange, warnings } = await this.products.preview(sku, change, options, was);
        if (!rowChange)
          return seeOther(back.href, { kind: 'info', text: 'Nothing differs, so nothing was changed.' });
        const changed = rowChange.fields.filter(([name]) => name !== PRICE_WITHOUT_GST);
        return {
          title: `Change ${sku}?`,
          effects: changeEffects(rowChange.fields),
          warnings: warnings.map(sentence),
          button: `Change ${countOf(changed.length, 'value', 'values')}`,
        };
      },
      run: async () => {
        const { changed } = await this.products.set(sku, change, options, was);
        const active = changed.find(({ column }) => column === 'active');
        const names = changed.map(({ column }) => labelOf(column)).join(', ');
        const isSold = `${sku} is ${active?.to ? '' : 'not '}for sale now.`;
        return seeOther(back.href, active && changed.length === 1 ? isSold : `Changed ${names}.`);
      },
    });
  }

  /** After an edit conflict: the stored values beside the typed ones, and who changed a price. */
  private async redisplayEdit(error: unknown, sku: string, was: string, typed: ProductChange): Promise<Page> {
    const product = await this.products.show(sku);
    // The typed values still belong to the version that the person opened.
    const priceNote = await this.sellers.priceNote();
    if (!(error instanceof DomainError && error.code === 'conflict'))
      return editPage({ ...product, was }, priceNote);
    return { ...editPage(product, priceNote, typed), refusal: await this.conflictMessage(sku, error) };
  }

  private async conflictMessage(sku: string, { message }: DomainError): Promise<string> {
    const [last] = await this.changes.newest({ sku, subject: 'product' }, 1);
    if (!last) return `${message} ${COMPARE}`;
    const differences = differencesOf(last, this.settings.currency).join(', ');
    return `${message} The last change of its prices: ${differences}, ${authorWords(last.actor)}. ${COMPARE}`;
  }

  @Get('products/:sku/stock')
  stockOf(@DeskPageRequest() { me, sku, fields }: DeskPageRequest<'sku'>): Promise<Page> {
    return this.stockPage(me, sku, fields);
  }

  @Get('products/:sku/stock.csv')
  async movements(
    @DeskPageRequest() { owner, sku, fields }: DeskPageRequest<'sku'>,
  ): Promise<StreamableFile> {
    const variation = await this.variationIn(sku, fields);
    const events = await this.orderedGoods.stockHistory(sku, { variation });
    const { timeZone } = this.settings;
    async function* rows() {
      for await (const event of events) yield { ...event, moved_at: plainTime(event.moved_at, timeZone) };
    }
    return csvResponse(owner, 'movements', STOCK_EVENT_COLUMNS, rows());
  }

  @PostForm('products/:sku/stock')
  async setStock(@DeskPageRequest() { me, sku, fields }: DeskPageRequest<'sku'>): Promise<Reply> {
    const stock = await this.stock.show(sku);
    const path = goodsStockPath(sku);
    return takeStep(fields, {
      back: { href: path, text: stock.name },
      form: () => this.stockPage(me, sku, fields),
      review: () => stockReview(stock, readStockForm(fields, stock)),
      run: async () => {
        const { action, quantity, reason, row } = readStockForm(fields, stock);
        const expected = Number(textIn(fields, 'expected'));
        const change = { sku, variation: row.variation || undefined, quantity, expected, actor: actorOf(me) };
        const now = await (action === 'count'
          ? this.stock.count(change)
          : this.stock.receive({ ...change, reason: reason || undefined }));
        const called = now.variation === '' ? sku : `${sku}, ${formatVariation(now.variation)}`;
        const text = `${called}: ${now.on_hand} on hand, ${now.for_sale} for sale.`;
        return seeOther(withQuery(path, { next: action }), text);
      },
    });
  }

  private async stockPage(me: DeskPerson, sku: string, fields: FormFields): Promise<Page> {
    const variation = await this.variationIn(sku, fields);
    // Without orders that were never paid, and why some were cancelled or refunded.
    const which = { variation, onlyOnHand: !may(me, 'see all orders') };
    const history = await firstRows(await this.orderedGoods.stockHistory(sku, which, MAX_ROWS));
    return stockPage({
      stock: await this.stock.show(sku),
      variation,
      history,
      mayKeep: may(me, 'keep goods and prices'),
      action: oneOf(fields, 'action', STOCK_ACTIONS),
      next: oneOf(fields, 'next', STOCK_ACTIONS),
    });
  }

  /** A variation that the product does not have is ignored. */
  private async variationIn(sku: string, query: FormFields): Promise<string | undefined> {
    const { variations } = await this.stock.show(sku);
    const requested = textIn(query, 'variation');
    return variations.length > 1
      ? variations.find(({ variation }) => variation === requested)?.variation
      : undefined;
  }
}

function belowIn(fields: FormFields): number {
  return parseOnHand(textIn(fields, 'below')) ?? DEFAULT_LOW_STOCK_THRESHOLD;
}

const changeOptions = (me: DeskPerson, fields: FormFields) => ({
  actor: actorOf(me),
  force: textIn(fields, 'force') === 'yes',
  formatMessage: replaceFlags,
});

function sentence({ column, message }: RowFault): string {
  return `${column === '' ? 'The row' : labelOf(column)} ${message}.`;
}
