import { type OrderDesk, orderDesk } from './order-desk.js';
import type { Store } from './fixtures.js';
import { makeBeforeAll } from './suite-hooks.js';
import type { TestApp } from './test-app.js';

export const PARCEL = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null, shippedAt: null };

export const MAHARASHTRA = { state: '27', gstin: '27AAPFU0939F1ZV' };

const DOCUMENTS = `
  SELECT number, kind, parcel, edition, part, supplied_on::text AS supplied, refund,
         credit_ended_on::text AS ended, against, place_of_supply AS place, gross::float8, taxable::float8,
         cgst::float8, sgst::float8, igst::float8, reason, reason_code AS code, is_commercial AS commercial, facts,
         (SELECT json_agg(json_build_object('line', line, 'quantity', quantity, 'gross', gross, 'rate', gst_rate)
                          ORDER BY position)
            FROM tax_document_items i WHERE i.number = d.number) AS items
    FROM tax_documents d WHERE order_number = $1 ORDER BY issued_at, kind DESC, number`;

interface DocumentRow {
  number: string;
  kind: 'invoice' | 'credit_note' | 'debit_note';
  parcel: number | null;
  edition: number;
  part: number;
  supplied: string | null;
  refund: number | null;
  ended: string | null;
  against: string | null;
  place: string;
  gross: number;
  taxable: number;
  cgst: number;
  sgst: number;
  igst: number;
  reason: string | null;
  code: string | null;
  commercial: boolean;
  items: { line: number; quantity: number; gross: number; rate: number }[];
  facts: Record<string, unknown>;
}

/** Orders of mugs at 118.00 with 18 % tax and a delivery of 50.00, and of shirts at 210.00 with 5 %. */
export class InvoicedOrders {
  private constructor(
    private readonly test: TestApp,
    readonly desk: OrderDesk,
    readonly store: Store,
    readonly mug: string,
    readonly shirt: string,
  ) {}

  static async create(test: TestApp): Promise<InvoicedOrders> {
    const store = await test.fixtures.store({ name: 'Asha Traders', state: '29' });
    const [mug, shirt] = await test.fixtures.products([
      { basePrice: '118.00', deliveryCharge: '50.00', stock: 100_000, hsn: '6912', gstRate: '18' },
      { basePrice: '210.00', deliveryCharge: '0', stock: 100_000, hsn: '6109', gstRate: '5' },
    ]);
    const desk = orderDesk(test.app);
    return new InvoicedOrders(test, desk, store, mug!.sku, shirt!.sku);
  }

  /** A paid order of these goods: a number of mugs, or the quantity of each SKU. */
  async paid(goods: number | [sku: string, quantity: number][], buyer = this.store): Promise<string> {
    const lines: [string, number][] = typeof goods === 'number' ? [[this.mug, goods]] : goods;
    const number = await this.test.place(
      buyer,
      lines.map(([sku, quantity]) => ({ sku, quantity })),
    );
    await this.desk.pay(number, 'test', {});
    return number;
  }

  /** Ships these units, such as `1=2` for two of line 1, or everything that is left. */
  ship(number: string, ...lines: string[]) {
    return this.desk.ship(number, 'test', PARCEL, lines.length > 0 ? lines : undefined);
  }

  async shipped(goods: Parameters<InvoicedOrders['paid']>[0], buyer = this.store): Promise<string> {
    const number = await this.paid(goods, buyer);
    await this.ship(number);
    return number;
  }

  refund(number: string, part: { lines?: string[]; delivery?: true; amount?: string }, reason: string) {
    return this.desk.refund(number, 'test', { ...part, reason });
  }

  takeBack(number: string, refund: number, amount?: string) {
    return this.desk.takeBack(number, 'test', { refund, amount, reason: `wrong ${refund}` });
  }

  async documents(number: string): Promise<DocumentRow[]> {
    return (await this.test.pool.query<DocumentRow>(DOCUMENTS, [number])).rows;
  }

  /** Each document in words, such as `credit on invoice 1, refund 2 (late): 1 × line 1 118.00, delivery 50.00`. */
  async inWords(number: string): Promise<string[]> {
    const documents = await this.documents(number);
    const invoices = documents.filter(({ kind }) => kind === 'invoice').map((one) => one.number);
    return documents.map(({ kind, parcel, edition, part, refund, reason, against, items }) => {
      const goods = items.map(({ line, quantity, gross }) => {
        if (line === 0) return `delivery ${gross.toFixed(2)}`;
        return `${quantity > 0 ? `${quantity} × ` : ''}line ${line} ${gross.toFixed(2)}`;
      });
      const head =
        kind === 'invoice'
          ? `parcel ${parcel}${part > 1 ? `, part ${part}` : ''}${edition > 1 ? `, edition ${edition}` : ''}`
          : `${kind.replace('_note', '')} on invoice ${invoices.indexOf(against!) + 1}` +
            `${refund === null ? '' : `, refund ${refund}`} (${reason})`;
      return `${head}: ${goods.join(', ')}`;
    });
  }
}

/** The seller is set before the first test of the suite. */
export function setUpInvoicing(test: TestApp): InvoicedOrders {
  return makeBeforeAll(async () => {
    await test.fixtures.seller();
    return InvoicedOrders.create(test);
  });
}
