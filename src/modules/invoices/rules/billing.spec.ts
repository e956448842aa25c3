import * as fc from 'fast-check';
import { cancelStep, type StepResult, refundStep, shipStep } from '../../orders/rules/order-steps.js';
import type { PricedLine } from '../../orders/rules/order-units.js';
import { type RecordedRefund, takeBackStep } from '../../orders/rules/take-back.js';
import {
  type BilledLine,
  type BilledOrder,
  deliveryDebits,
  deliveryItems,
  goodsOfParcel,
  type InvoiceItem,
  toDeliveryItem,
} from './billing.js';
import {
  commercialDebits,
  commercialRefundOf,
  creditedOf,
  creditedUnits,
  creditsDue,
  debitsDue,
  type InvoicedItem,
  type RefundChange,
  keptCredits,
  taxedCreditOf,
} from './refund-notes.js';
import { sumOfParts, taxWithin } from './tax.js';

const LAW = { hsnDigits: 4 };

const line = (number: number, given: Partial<BilledLine> = {}): BilledLine => ({
  line: number,
  sku: `SKU-${number}`,
  name: `Thing ${number}`,
  variation: null,
  unitPrice: 1_000,
  quantity: 10,
  cancelled: 0,
  hsn: `${number}000`,
  rate: 1_800,
  treatment: 'taxable',
  unit: 'PCS',
  ...given,
});

type Refunds = BilledOrder['refunded'];

/** Refunds by line and amount, of units at 10.00. Each is of its own number, or takes another one back. */
const refunds = (...rows: [number | null, number, object?][]): Refunds =>
  rows.map(([number, amount, more], at) => {
    const own = { refund: at + 1, of: at + 1, line: number, amount };
    return { ...own, ...(number && { units: amount / 1_000 }), ...more };
  });

/** The order, while its refund `now` is made. */
const orderOf = (refunded: Refunds, now?: number): BilledOrder => ({
  lines: [line(1), line(2), line(3, { unitPrice: 0 })],
  left: [],
  delivery: 5_000,
  refunded,
  ...(now && { refund: { refund: now } }),
});

const note = (amount: number, refund: number | null = null, isUntaxed = false) => {
  return { refund, isUntaxed, quantity: 0, amount };
};

type Note = ReturnType<typeof note>;

/** Units at 10.00. */
const unitsOf = (quantity: number, refund: number | null = null) => ({
  ...note(quantity * 1_000, refund),
  quantity,
});

const commercial = (amount: number, refund: number | null = 2) => ({
  ...note(amount, refund, true),
  isCommercial: true,
});

/** An item of an invoice, of units at 10.00. */
const sold = (number: number, gross: number, ...credits: Note[]) => {
  return { line: number, quantity: gross / 1_000, gross, credits };
};

type Sold = ReturnType<typeof sold>;

/** A line for each change: its item, units, amount and refund. */
const printed = (changes: RefundChange<{ line: number }>[]) =>
  changes.map(
    ({ item: { line: number }, quantity, amount, refund, isUntaxed }) =>
      `${number}: ${quantity} ${amount} of ${refund}${isUntaxed ? ' untaxed' : ''}`,
  );

describe('The items of a parcel', () => {
  const lines = [line(1, { rate: 500 }), line(2, { variation: 'red / L' }), line(3)];
  const units = [
    { line: 2, quantity: 3 },
    { line: 1, quantity: 1 },
  ];

  it('are its units at the price of the order', () => {
    const parcel = { parcel: 2, units };
    expect(goodsOfParcel({ lines, delivery: 4_900, refunded: [], left: [], parcel }, LAW)).toEqual([
      {
        line: 2,
        description: 'Thing 2, red / L',
        sku: 'SKU-2',
        hsn: '2000',
        unit: 'PCS',
        quantity: 3,
        unitPrice: 1_000,
        rate: 1_800,
        treatment: 'taxable',
        gross: 3_000,
      },
      expect.objectContaining({ line: 1, description: 'Thing 1', rate: 500, quantity: 1, gross: 1_000 }),
    ]);
  });

  it('need the code and the rate of each product that is billed', () => {
    const faulty = [
      line(1),
      line(2, { hsn: '' }),
      line(3, { rate: null }),
      line(4, { sku: 'SKU-2', hsn: '' }),
      line(5),
    ];
    const billed = (parcel: number, ...numbers: number[]) => billedWith(LAW, parcel, ...numbers);
    const billedWith = (law: typeof LAW, parcel: number, ...numbers: number[]) => {
      const left = { parcel, units: numbers.map((number) => ({ line: number, quantity: 1 })) };
      const order = { lines: faulty, delivery: 1, refunded: [], left: [], parcel: left };
      return goodsOfParcel(order, law);
    };
    expect(billed(2, 1)).toHaveLength(1);
    expect(() => billed(2, 1, 3)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message:
          'An invoice needs more data of its products: SKU-3 (GST rate). ' +
          'Staff can set them on the page of the product, or with a catalog file.',
      }),
    );
    expect(() => billed(1, 1, 2, 3)).toThrow(
      ': SKU-2 (HSN code of 4 digits or more), SKU-3 (GST rate). Staff',
    );
    expect(billed(1, 1)).toHaveLength(1);
    expect(() => billedWith({ hsnDigits: 6 }, 1, 1, 5)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message:
          'An invoice needs more data of its products: SKU-1 (HSN code of 6 digits or more), ' +
          'SKU-5 (HSN code of 6 digits or more). ' +
          'Staff can set them on the page of the product, or with a catalog file.',
      }),
    );
  });
});

/** The shipping of an order, with the delivery that each parcel and each later debit bills. */
class Shipping {
  readonly invoices: { parcel: number; items: InvoiceItem[] }[] = [];
  private left: BilledOrder['left'] = [];
  private parcels = 0;

  constructor(
    private lines: BilledLine[],
    private readonly delivery: number,
    private readonly refunded: Refunds = [],
  ) {}

  get order(): BilledOrder {
    return { lines: this.lines, delivery: this.delivery, refunded: this.refunded, left: this.left };
  }

  /** `units` are the quantities of the lines. */
  ship(units: number[], noInvoice: string | null = null): this {
    const parcel = ++this.parcels;
    const own = units
      .map((quantity, at) => ({ line: at + 1, quantity }))
      .filter(({ quantity }) => quantity > 0);
    this.left = [...this.left, ...own.map((one) => ({ ...one, parcel, noInvoice }))];
    if (noInvoice === null) this.invoice(parcel, own);
    return this;
  }

  /** Issues the invoice again. */
  reissue(parcel: number): this {
    const at = this.invoices.findIndex((one) => one.parcel === parcel);
    const { items } = this.invoices.splice(at, 1)[0]!;
    this.invoice(
      parcel,
      items.filter((item) => item.line > 0),
    );
    return this;
  }

  private invoice(parcel: number, units: { line: number; quantity: number }[]): void {
    const order = { ...this.order, parcel: { parcel, units } };
    const goods = goodsOfParcel(order, LAW);
    this.invoices.push({ parcel, items: [...goods, ...deliveryItems(order, goods, this.invoices)] });
  }

  withdraw(): this {
    this.left = this.left.filter(({ parcel }) => parcel !== this.parcels);
    if (this.invoices.at(-1)?.parcel === this.parcels) this.invoices.pop();
    this.parcels -= 1;
    return this;
  }

  /** Cancels what is left. */
  cancel(): this {
    const leftOf = (number: number) =>
      this.left.reduce((sum, one) => sum + (one.line === number ? one.quantity : 0), 0);
    this.lines = this.lines.map((one) => ({ ...one, cancelled: one.quantity - leftOf(one.line) }));
    return this;
  }

  /** The line, the rate and the amount of each. */
  debits() {
    return deliveryDebits(this.order, this.invoices).map(
      (one) => `${one.item.line} ${one.item.rate} ${one.amount}`,
    );
  }

  /** Applies the debits. */
  debit(): this {
    for (const { item, amount } of deliveryDebits(this.order, this.invoices)) item.gross += amount;
    return this;
  }

  /** The delivery that each invoice bills, by rate. */
  billed() {
    const of = (items: InvoiceItem[]) => items.filter((one) => one.line === 0);
    return this.invoices.map(({ items }) =>
      of(items)
        .map(({ rate, gross }) => `${rate}: ${gross}`)
        .join(' '),
    );
  }
}

describe('The delivery', () => {
  const goods = [
    line(1, { unitPrice: 10_000, quantity: 3, rate: 0 }),
    line(2, { unitPrice: 5_000, quantity: 2, rate: 1_800 }),
    line(3, { unitPrice: 10_000, quantity: 1, rate: 1_800 }),
  ];
  const shipping = (refunded: Refunds = []) => new Shipping(goods, 5_000, refunded);
  const of = (number: number | null, amount: number) => [{ refund: 1, of: 1, line: number, amount }];

  it('is billed with its goods by their value, with an item for each rate', () => {
    const { invoices } = shipping().ship([3, 1, 1]);
    const item = { line: 0, description: 'Delivery', sku: '', unit: '', quantity: 1, treatment: 'taxable' };
    expect(invoices[0]!.items.slice(3)).toEqual([
      { ...item, hsn: '1000', unitPrice: 3_000, rate: 0, gross: 3_000 },
      { ...item, hsn: '3000', unitPrice: 1_500, rate: 1_800, gross: 1_500 },
    ]);
    expect(shipping().ship([0, 2, 1]).invoices[0]!.items[2]).toMatchObject({ hsn: '2000', gross: 2_000 });
    expect(new Shipping(goods, 0).ship([3, 2, 1]).billed()).toEqual(['']);
  });

  it('of units that nothing else bills is billed with the last parcel', () => {
    const last = shipping().ship([1, 0, 1], 'sample').ship([2, 1, 0]).ship([0, 1, 0]);
    expect(last.billed()).toEqual(['0: 2000 1800: 500', '1800: 2500']);
    expect(last.debits()).toEqual([]);
  });

  it('of units that nothing else bills is for the goods that have a share, or by value if none has', () => {
    const last = (delivery: number, ...prices: [number, number, number]) => {
      const lines = prices.map((unitPrice, at) =>
        line(at + 1, { unitPrice, quantity: 1, rate: at === 0 ? 500 : 1_800 }),
      );
      return new Shipping(lines, delivery).ship([0, 0, 1], 'sample').ship([1, 1]).billed();
    };
    expect(last(3, 1, 2, 6)).toEqual(['1800: 3']);
    expect(last(4, 1, 3, 1_000)).toEqual(['500: 1 1800: 3']);
  });

  it('that an invoice lacks is billed with the next parcel, not debited', () => {
    const order = shipping().ship([1]);
    order.invoices[0]!.items.pop();
    expect(order.debits()).toEqual([]);
    expect(order.ship([1]).billed()).toEqual(['', '0: 2000']);
  });

  it.each([
    ['export under LUT', '0: 1000'],
    ['elsewhere', '0: 1000'],
    ['replacement', '0: 5000'],
    ['sample', '0: 5000'],
    ['elsewheres', '0: 5000'],
  ])('of a parcel without an invoice is billed elsewhere, or with other goods: %s', (reason, billed) => {
    expect(shipping().ship([2, 2, 1], reason).ship([1]).billed()).toEqual([billed]);
    expect(shipping().ship([1]).ship([2, 2, 1], reason).debit().billed()).toEqual([billed]);
  });

  it('is debited to the newest invoice if the rest is cancelled after it', () => {
    const order = shipping().ship([0, 0, 1]).ship([1, 1]);
    expect(order.debits()).toEqual([]);
    expect(order.cancel().debits()).toEqual(['0 0 1667', '0 1800 833']);
    expect(order.debit().debits()).toEqual([]);
    // A later invoice replaces what was debited, and other goods take it over.
    expect(order.reissue(2).billed()[1]).toBe('0: 2667 1800: 1333');
    expect(order.withdraw().debits()).toEqual([]);
  });

  it.each([
    ['all of it', of(0, 5_000), []],
    ['and charged again', [...of(0, 5_000), ...of(0, -5_000)], ['0 0 4000']],
    ['only an amount', of(null, 5_000), ['0 0 4000']],
  ])('of cancelled units is not billed if it was refunded: %s', (_, refunded, debits) => {
    expect(shipping(refunded).ship([1]).cancel().debits()).toEqual(debits);
  });

  it('is debited to goods whose invoice has no delivery', () => {
    const lines = [line(1, { unitPrice: 0, quantity: 1 }), line(2, { unitPrice: 50_000, quantity: 1 })];
    const order = new Shipping(lines, 4_000).ship([1]).cancel();
    expect(order.debits()).toEqual(['1 1800 4000']);
    const [goodsItem] = order.debit().invoices[0]!.items;
    const parts = { line: 0, description: 'Delivery', sku: '', unit: '', unitPrice: 4_000, gross: 4_000 };
    expect(toDeliveryItem(goodsItem!, 4_000)).toEqual({ ...goodsItem, ...parts });
    const free = lines.map((one) => ({ ...one, unitPrice: 0 }));
    expect(new Shipping(free, 4_001).ship([1]).ship([0, 1]).billed()).toEqual(['1800: 2001', '1800: 2000']);
    expect(new Shipping(free.slice(1), 1).ship([0, 1]).billed()).toEqual(['1800: 1']);
  });

  it('has for any sequence and grouping of parcels the same sums by rate', () => {
    const some = fc.array(
      fc.record({
        unitPrice: fc.oneof(fc.nat(5), fc.nat(100_000)),
        quantity: fc.integer({ min: 1, max: 6 }),
        rate: fc.constantFrom(0, 500, 1_800),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(some, fc.nat(20_000), fc.array(fc.nat(3), { maxLength: 30 }), (given, delivery, picks) => {
        const lines = given.map((one, at) => line(at + 1, one));
        const split = new Shipping(lines, delivery);
        const open = lines.map(({ quantity }) => quantity);
        for (const pick of picks)
          if ((open[pick] ?? 0) > 0) {
            open[pick]! -= 1;
            split.ship(open.map((_, at) => (at === pick ? 1 : 0)));
          }
        if (open.some((quantity) => quantity > 0)) split.ship(open);
        const whole = new Shipping(lines, delivery).ship(lines.map(({ quantity }) => quantity));
        const sums = ({ invoices }: Shipping, rate: number) => {
          const items = invoices.flatMap((one) => one.items).filter((item) => item.rate === rate);
          const parts = sumOfParts(items.map(({ gross }) => taxWithin(gross, rate, false)));
          return { gross: items.reduce((sum, { gross }) => sum + gross, 0), tax: parts.igst, items };
        };
        for (const rate of [0, 500, 1_800]) {
          const [one, other] = [sums(split, rate), sums(whole, rate)];
          expect(one.gross).toBe(other.gross);
          // Each item rounds its tax.
          const tolerance = (one.items.length + other.items.length) / 2;
          expect(Math.abs(one.tax - other.tax)).toBeLessThanOrEqual(tolerance);
        }
        expect(split.debits()).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('The credits that refunds need', () => {
  const due = (refunded: Refunds, now: number | undefined, ...items: Sold[]) =>
    printed(creditsDue(orderOf(refunded, now), items));
  const kept = (refunded: Refunds, ...replaced: [item: Sold, ...credits: Note[]][]) =>
    keptCredits(
      orderOf(refunded),
      replaced.map(([own, ...credits]) => ({ item: own, replaced: { credits } })),
    );

  it('are for the delivery', () => {
    const delivery = { ...sold(0, 5_000), quantity: 1 };
    expect(due(refunds([0, 5_000]), undefined, sold(1, 10_000), delivery)).toEqual(['0: 1 5000 of 1']);
  });

  it('keep no more than the replaced items had, or the new ones have', () => {
    const ofLine = refunds([1, 1_000], [1, 2_000], [1, -1_000, { of: 1 }]);
    const [large, small] = [sold(1, 10_000), sold(1, 2_500)];
    // The credit of refund 1 was on another item.
    expect(printed(kept(ofLine, [large, note(-500, 3), unitsOf(2, 2)]))).toEqual(['1: 2 1500 of 2']);
    const more = kept(ofLine, [small, unitsOf(2, 2)], [small, unitsOf(2, 2)], [small, commercial(1)]);
    expect(printed(more)).toEqual(['1: 2 2000 of 2', '1: 2 500 of 2']);
    const units = kept(ofLine, [large, unitsOf(-1, 3), unitsOf(2, 2), unitsOf(2)]);
    expect(printed(units)).toEqual(['1: 2 2000 of 2', '1: 1 1000 of null']);
  });

  it('are kept before others are due', () => {
    const refunded = refunds([1, 2_000], [null, 1_000, { isCommercial: true }], [2, 3_000]);
    const [first, second] = [sold(1, 10_000), sold(2, 10_000)];
    const before = kept(refunded, [first, unitsOf(2, 1)], [second, commercial(600)]);
    expect(printed(creditsDue(orderOf(refunded), [first, second], before))).toEqual([
      '1: 2 2000 of 1',
      '2: 0 600 of 2 untaxed',
      '2: 3 3000 of 3',
      '1: 0 222 of 2 untaxed',
      '2: 0 178 of 2 untaxed',
    ]);
  });

  const AGREED: [null, number, object] = [null, 300, { isCommercial: true }];
  const debited = (refunded: Refunds, ...items: Sold[]) =>
    printed(commercialDebits(orderOf(refunded, refunded.length), items));

  it.each<[string, number | null, number, Note, string[]]>([
    ['all', 1, 10_000, commercial(300, 1), ['1: 0 300 of 1 untaxed']],
    ['a part', 1, 9_800, commercial(300, 1), ['1: 0 100 of 1 untaxed']],
    [
      'of an older note, which may name no refund',
      1,
      10_000,
      commercial(300, null),
      ['1: 0 300 of 1 untaxed'],
    ],
    ['nothing beside their room', 1, 9_700, commercial(300, 1), []],
    ['nothing for an amount', null, 10_000, commercial(300, 1), []],
    ['nothing of a late note, which is not commercial', 1, 10_000, note(300, 1, true), []],
  ])('of commercial refunds give way to the units of their line: %s', (_, of, amount, credit, debits) => {
    expect(debited(refunds(AGREED, [of, amount]), sold(1, 10_000, credit), sold(2, 10_000))).toEqual(debits);
  });

  it('of several commercial refunds and parcels give way one after the other', () => {
    const two = refunds(AGREED, [null, 200, { isCommercial: true }], [1, 9_800]);
    const credited = sold(1, 10_000, commercial(300, 1), commercial(200, 2));
    expect(debited(two, credited)).toEqual(['1: 0 300 of 1 untaxed']);
    expect(commercialRefundOf(orderOf(two))).toBe(2);
    expect(commercialRefundOf(orderOf(refunds([1, 9_800])))).toBeNull();
    const parcels = [1, 2, 3].map((n) => sold(1, 3_000, commercial(100 * n, 1)));
    const parts = ['1: 0 100 of 1 untaxed', '1: 0 150 of 1 untaxed'];
    expect(debited(refunds(AGREED, [1, 8_650]), ...parcels)).toEqual(parts);
  });

  it('of a commercial refund move to another line', () => {
    const items = [sold(1, 10_000, commercial(300, 1)), sold(2, 10_000)];
    const moved = ['1: 10 10000 of 2', '2: 0 300 of 1 untaxed'];
    expect(due(refunds(AGREED, [1, 10_000]), 2, ...items)).toEqual(moved);
  });

  it.each<[string, Note[], string[]]>([
    ['all', [unitsOf(2), commercial(300, null)], ['1: 0 500 of 3']],
    ['all but the commercial refund', [unitsOf(2)], ['1: 0 500 of 3', '1: 0 300 of 2 untaxed']],
    ['one unit', [unitsOf(1), commercial(300, null)], ['1: 1 1000 of 1', '1: 0 500 of 3']],
  ])('are not of a refund that an older note without a refund has credited: %s', (_, credits, changes) => {
    expect(due(refunds([1, 2_000], AGREED, [null, 500]), 3, sold(1, 10_000, ...credits))).toEqual(changes);
  });

  it('have the units of the refund, also if the line has no room for their price', () => {
    const refunded = refunds([null, 1_500], [1, 3_000], [1, 2_000]);
    const [first, second, other] = [sold(1, 3_000, note(1_500, 1)), sold(1, 2_000), sold(2, 10_000)];
    const lacking = ['1: 3 1500 of 2', '1: 0 1500 of 2'];
    expect(due(refunded.slice(0, 2), 2, first, second, other)).toEqual(lacking);
    const after = [
      sold(1, 3_000, note(1_500, 1), { ...note(1_500, 2), quantity: 3 }),
      sold(1, 2_000, note(1_500, 2)),
    ];
    expect(due(refunded, 3, ...after, other)).toEqual(['1: 2 500 of 3', '2: 0 1500 of 3']);
    const few = sold(1, 3_000, { ...note(1_000, 2), quantity: 2 });
    expect(due(refunded, 3, few)).toEqual(['1: 1 2000 of 3']);
    const twice = [sold(1, 4_000), sold(1, 1_000), sold(2, 10_000, note(1_500, 1))];
    const each = ['1: 2 2000 of 3', '1: 2 2000 of 2', '1: 1 1000 of 2'];
    expect(due(refunded, 3, ...twice)).toEqual(each);
  });

  it('of an older refund come for its own line beside those of the refund that is made now', () => {
    const both = ['1: 5 5000 of 2', '2: 3 3000 of 1'];
    expect(due(refunds([2, 3_000], [1, 5_000]), 2, sold(1, 10_000), sold(2, 10_000))).toEqual(both);
  });

  it('change no tax for a commercial refund, until it is credited', () => {
    const left = (...credits: Note[]) => {
      const refunded = refunds([1, 1_000], [null, 3_000, { isCommercial: true }]);
      return due(refunded, undefined, sold(1, 10_000), sold(2, 10_000, ...credits));
    };
    expect(left()).toEqual(['1: 1 1000 of 1', '1: 0 1421 of 2 untaxed', '2: 0 1579 of 2 untaxed']);
    expect(left(commercial(3_000))).toEqual(['1: 1 1000 of 1']);
    // A late note is no commercial one.
    expect(left(note(500, 2, true))).toEqual([
      '1: 1 500 of 1',
      '1: 0 1500 of 2 untaxed',
      '2: 0 1000 of 2 untaxed',
      '2: 0 500 of null untaxed',
    ]);
  });
});

describe('The debits that a refund needs which is taken back', () => {
  const debited = (refunded: Refunds, ...items: Sold[]) =>
    printed(debitsDue(orderOf(refunded, refunded.length), items));

  it('are for its lines, with their units', () => {
    const refunded = refunds([2, 3_000], [1, 1_000], [2, -3_000, { of: 1 }]);
    const items = [sold(1, 10_000, note(1_000)), sold(2, 10_000, unitsOf(2, 1)), sold(2, 10_000, unitsOf(1))];
    expect(debited(refunded, ...items)).toEqual(['2: 2 2000 of 3', '2: 1 1000 of 3']);
  });

  it('are without units that other refunds of the line keep', () => {
    const refunded = refunds([1, 5_000], [1, 3_000], [1, -5_000, { of: 1 }]);
    expect(debited(refunded, sold(1, 5_000, unitsOf(5, 1)))).toEqual(['1: 2 2000 of 3']);
    expect(debited(refunded, sold(1, 10_000, unitsOf(2, 1), unitsOf(6)))).toEqual(['1: 2 5000 of 3']);
  });

  it.each([false, true])(
    'are of its own kind if it has no credit of its own: commercial %s',
    (isCommercial) => {
      const rows = [500, 1_000, -500].map((amount, at): [null, number, object] => [
        null,
        amount,
        { isCommercial: isCommercial === (at !== 1), ...(at === 2 && { of: 1 }) },
      ]);
      const [own, other] = isCommercial
        ? [commercial(500), note(1_000)]
        : [note(500, 2), commercial(1_000, null)];
      expect(debited(refunds(...rows), sold(1, 10_000, own, other))).toEqual([
        `1: 0 500 of 3${isCommercial ? ' untaxed' : ''}`,
      ]);
    },
  );

  it('are all of its credits, though a refund of the other kind waits for their room', () => {
    const agreed: [null, number, object] = [null, 2_000, { isCommercial: true }];
    const changes = (refunded: Refunds, ...credits: Note[]) => {
      const own = sold(1, 5_000, ...credits);
      return [...debited(refunded, own), ...printed(creditsDue(orderOf(refunded, 3), [own]))];
    };
    const units = refunds(agreed, [1, 5_000], [1, -5_000, { of: 2 }]);
    expect(changes(units, unitsOf(5, 2))).toEqual(['1: 5 5000 of 3', '1: 0 2000 of 1 untaxed']);
    const amount = refunds(agreed, [1, 5_000], [null, -2_000, { isCommercial: true, of: 1 }]);
    const back = ['1: 0 2000 of 3 untaxed', '1: 2 2000 of 2'];
    expect(changes(amount, commercial(2_000, 1), unitsOf(3, 2))).toEqual(back);
    // A part of it waits itself, beside the refund of a cancelled unit.
    const waiting = refunds(agreed, [1, 3_500], [2, 1_000], [null, -1_000, { isCommercial: true, of: 1 }]);
    const now = { ...orderOf(waiting, 4), lines: [line(1), line(2, { cancelled: 1 })] };
    const left = debitsDue(now, [sold(1, 5_000, commercial(1_500, 1), note(3_500, 2))]);
    expect(printed(left)).toEqual(['1: 0 500 of 4 untaxed']);
  });

  it('are of late credits before commercial ones, and change no tax', () => {
    const refunded = refunds([null, 300, { isCommercial: true }], [null, 500], [null, -500, { of: 2 }]);
    const items = [sold(1, 10_000, commercial(500, 1), note(300, null, true))];
    expect(debitsDue(orderOf(refunded, 3), items)).toMatchObject([
      { amount: 300, refund: 3, isUntaxed: true },
      { amount: 200, isUntaxed: true, isCommercial: true },
    ]);
  });

  it('are of credits at a dispatch if it has none of its own, and of others at last', () => {
    const refunded = refunds([1, 3_000], [1, 2_000], [1, -2_000, { of: 2 }]);
    const first = sold(1, 10_000, note(3_000, 1));
    expect(debited(refunded, first, sold(1, 10_000, unitsOf(2)))).toEqual(['1: 2 2000 of 3']);
    expect(debited(refunded, first, sold(1, 10_000, note(2_000)))).toEqual(['1: 0 2000 of 3']);
    const items = [sold(1, 10_000, note(1_000, 2), note(500)), sold(2, 10_000, note(1_200, 1))];
    for (const own of [null, 1]) {
      const more = refunds([null, 1_000], [own, 1_700], [own, -1_700, { of: 2 }]);
      expect(debited(more, ...items)).toEqual(['1: 0 1500 of 3', '2: 0 200 of 3']);
    }
  });
});

interface Issued extends InvoiceItem, InvoicedItem {
  parcel: number;
  credits: Note[];
  /** The time for a credit of tax is over. */
  isEnded: boolean;
  parts: ReturnType<typeof taxWithin>[];
}

/** An order whose steps follow the rules of orders, with its documents. */
class Simulated {
  readonly items: Issued[] = [];
  private left: BilledOrder['left'] = [];
  private readonly refunded: Refunds[number][] = [];
  private readonly lines: PricedLine[];
  private readonly rates: number[];
  private state = { status: 'pending', paymentStatus: 'paid' } as Parameters<typeof shipStep>[0];
  private parcels = 0;
  private readonly refunds: RecordedRefund[] = [];
  private isDeliveryRefunded = false;
  readonly total: number;

  constructor(
    given: { unitPrice: number; quantity: number; rate: number }[],
    private readonly delivery: number,
    private readonly isWithinState: boolean,
  ) {
    this.lines = given.map(({ unitPrice, quantity }, at) => ({
      line: at + 1,
      unitPrice,
      quantity,
      shipped: 0,
      cancelled: 0,
      refunded: 0,
      returned: 0,
    }));
    this.rates = given.map(({ rate }) => rate);
    this.total = given.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, delivery);
  }

  get isSettled(): boolean {
    return this.lines.every(({ quantity, shipped, cancelled }) => quantity === shipped + cancelled);
  }

  get refundedAmount(): number {
    return this.refunded.reduce((sum, { amount }) => sum + amount, 0);
  }

  ship(units?: { line: number; quantity: number }[]): void {
    const step = this.step(() => shipStep(this.state, this.lines, units));
    if (!step?.units?.length) return;
    for (const { line: number, quantity } of step.units) this.lines[number - 1]!.shipped += quantity;
    const parcel = { parcel: ++this.parcels, units: step.units };
    this.left = [
      ...this.left,
      ...step.units.map((one) => ({ ...one, parcel: this.parcels, noInvoice: null })),
    ];
    const order = { ...this.billed(), parcel };
    const goods = goodsOfParcel(order, LAW);
    for (const item of [...goods, ...deliveryItems(order, goods, this.invoices())])
      this.items.push({ ...item, parcel: this.parcels, credits: [], isEnded: false, parts: [] });
    this.note();
  }

  cancel(requested?: { line: number; quantity: number }[]): void {
    const step = this.step(() => cancelStep(this.order(), this.lines, { reason: '', key: '', requested }));
    for (const { line: number, quantity } of step?.units ?? []) this.lines[number - 1]!.cancelled += quantity;
    if (step) this.note();
  }

  refund(request: Parameters<typeof refundStep>[2]): void {
    // As in the database.
    if (request.kind === 'delivery' && this.isDeliveryRefunded) return;
    if (!this.step(() => refundStep(this.order(), this.lines, request))) return;
    this.isDeliveryRefunded ||= request.kind === 'delivery';
    this.note(this.refunds.length);
  }

  /** All of a refund, or a part of it. */
  takeBack(takesBack: number, amount?: number): void {
    const request = { kind: 'taken_back', reason: '', key: '', takesBack, amount } as const;
    if (this.step(() => takeBackStep(this.order(), this.lines, this.refunds, request)))
      this.note(this.refunds.length);
  }

  get lastAmount(): number {
    return this.refunds.at(-1)?.amount ?? 0;
  }

  private step(evaluate: () => StepResult) {
    try {
      const step = evaluate();
      if ('refused' in step) return;
      this.state = step;
      if (step.refund) {
        const { amount, items, takesBack = null } = step.refund;
        const refund = this.refunds.length + 1;
        this.refunds.push({ ...step.refund, refund, takesBack, returnNumber: null, lines: items });
        const of = takesBack ?? refund;
        const { kind } = this.refunds.find((one) => one.refund === takesBack) ?? step.refund;
        const named = { refund, of, isCancelled: kind === 'cancelled' };
        let rest = amount;
        for (const item of items) {
          this.lines[item.line - 1]!.refunded += item.refunded;
          this.refunded.push({ ...named, line: item.line, amount: item.amount, units: item.refunded });
          rest -= item.amount;
        }
        if (rest !== 0) this.refunded.push({ ...named, line: kind === 'delivery' ? 0 : null, amount: rest });
      }
      return step;
    } catch {
      return;
    }
  }

  endTime(): void {
    for (const item of this.items) item.isEnded = true;
  }

  /** What the rules read. */
  protected observe<Facts extends object>(facts: Facts): Facts {
    return facts;
  }

  private note(refund?: number): void {
    const order = this.observe({ ...this.billed(), ...(refund && { refund: { refund } }) });
    const items = this.observe(this.items);
    for (const { item, amount } of deliveryDebits(order, this.invoices())) item.gross += amount;
    const credits = creditsDue(order, items).map((one) => ({ ...one, isUntaxed: one.item.isEnded }));
    const debits = debitsDue(order, items);
    expect(Math.min(credits.length, debits.length)).toBe(0);
    const sign = credits.length > 0 ? 1 : -1;
    for (const { item, amount, quantity, isUntaxed, refund: named } of [...credits, ...debits]) {
      expect(amount).toBeGreaterThan(0);
      const change = sign * amount;
      const taxed = taxedCreditOf(item);
      const parts = taxWithin(
        amount,
        isUntaxed ? 0 : item.rate,
        this.isWithinState,
        Math.min(taxed, taxed + change),
      );
      item.parts.push(credits.length > 0 ? parts : negative(parts));
      item.credits.push({ ...note(change, named, isUntaxed), quantity: sign * quantity });
      expect(creditedOf(item)).toBeLessThanOrEqual(item.gross);
      expect(taxedCreditOf(item)).toBeLessThanOrEqual(creditedOf(item));
      expect(taxedCreditOf(item)).toBeGreaterThanOrEqual(0);
      const credited = item.credits.reduce((sum, one) => sum + one.quantity, 0);
      expect(credited).toBeGreaterThanOrEqual(0);
      expect(credited).toBeLessThanOrEqual(item.quantity);
    }
  }

  /** Units of each line that were refunded and left, less those that notes credited. */
  uncreditedUnits() {
    return this.lines.map(({ line: number, unitPrice, shipped, refunded, cancelled }) => {
      const own = this.items.filter((item) => item.line === number);
      const left = own.reduce(
        (sum, item) => sum - creditedUnits(item),
        Math.min(shipped, refunded - cancelled),
      );
      return { units: left, isFree: unitPrice === 0 };
    });
  }

  private order() {
    return { ...this.state, total: this.total, delivery: this.delivery, refunded: this.refundedAmount };
  }

  private invoices() {
    const parcels = [...new Set(this.items.map(({ parcel }) => parcel))];
    return parcels.map((parcel) => ({ parcel, items: this.items.filter((one) => one.parcel === parcel) }));
  }

  private billed(): BilledOrder {
    const lines = this.lines.map((own) => line(own.line, { ...own, rate: this.rates[own.line - 1]! }));
    return { delivery: this.delivery, lines, refunded: this.refunded, left: this.left };
  }
}

const negative = ({ taxable, cgst, sgst, igst }: Issued['parts'][number]) => ({
  taxable: -taxable,
  cgst: -cgst,
  sgst: -sgst,
  igst: -igst,
});

describe('Invoices and notes of an order', () => {
  const price = fc.oneof(fc.nat(5), fc.nat(100_000));
  const lines = fc.array(
    fc.record({
      unitPrice: price,
      quantity: fc.integer({ min: 1, max: 6 }),
      rate: fc.constantFrom(0, 500, 1_800),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const units = fc.uniqueArray(
    fc.record({ line: fc.integer({ min: 1, max: 4 }), quantity: fc.integer({ min: 1, max: 4 }) }),
    { minLength: 1, maxLength: 3, selector: ({ line: number }) => number },
  );
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  const steps = fc.array(
    fc.oneof(
      fc.record({ act: fc.constant('ship' as const), units: fc.option(units, { freq: 8 }) }),
      fc.record({ act: fc.constant('cancel' as const), units: fc.option(units, { freq: 8 }) }),
      fc.record({ act: fc.constantFrom('lines' as const, 'returned' as const), units }),
      fc.record({ act: fc.constant('amount' as const), share }),
      fc.record({ act: fc.constant('delivery' as const) }),
      fc.record({ act: fc.constant('time ends' as const) }),
      fc.record({
        act: fc.constant('take back' as const),
        refund: fc.integer({ min: 1, max: 4 }),
        share: fc.option(share),
      }),
    ),
    { maxLength: 14 },
  );

  it('add up to its total less its refunds when all of it left or was cancelled', () => {
    fc.assert(
      fc.property(lines, price, fc.boolean(), steps, (goods, delivery, isWithinState, some) => {
        const order = new Simulated(goods, delivery, isWithinState);
        const about = { reason: '', key: '' };
        for (const step of [...some, { act: 'ship' as const, units: null }])
          if (step.act === 'ship') order.ship(step.units ?? undefined);
          else if (step.act === 'cancel') order.cancel(step.units ?? undefined);
          else if (step.act === 'take back')
            order.takeBack(
              step.refund,
              step.share === null ? undefined : Math.ceil(step.share * Math.abs(order.lastAmount)),
            );
          else if (step.act === 'delivery') order.refund({ ...about, kind: 'delivery' });
          else if (step.act === 'time ends') order.endTime();
          else if (step.act === 'amount') {
            const left = order.total - order.refundedAmount;
            order.refund({ ...about, kind: 'amount', amount: Math.ceil(step.share * left) });
          } else order.refund({ ...about, kind: step.act, lines: step.units, returnNumber: '' });
        expect(order.isSettled).toBe(true);
        // An amount may have credited all of a line before, so it has no note for its units.
        const isPlain = some.every(({ act }) => act !== 'amount');
        for (const { units: uncredited, isFree } of order.uncreditedUnits()) {
          expect(uncredited).toBeGreaterThanOrEqual(0);
          if (isPlain && !isFree) expect(uncredited).toBe(0);
        }
        const left = order.items.reduce((sum, item) => sum + item.gross - creditedOf(item), 0);
        expect(left).toBe(order.total - order.refundedAmount);
        for (const { rate, parts, ...item } of order.items) {
          const taxed = taxedCreditOf(item);
          const untaxed = taxWithin(creditedOf(item) - taxed, 0, isWithinState);
          // A note of one paisa has no tax of two.
          const grosses = parts.map((part) => Object.values(part).reduce((sum, one) => sum + one, 0));
          if (grosses.every((gross) => Math.abs(gross) > 1))
            expect(sumOfParts(parts)).toEqual(sumOfParts([taxWithin(taxed, rate, isWithinState), untaxed]));
          for (const [at, { taxable }] of parts.entries())
            expect(taxable * grosses[at]!).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 600 },
    );
  });
});

/** Counts how often facts of the order are read. */
class CountedReads extends Simulated {
  reads = 0;
  private readonly observed = new WeakMap<object, object>();

  protected override observe<Facts extends object>(facts: Facts): Facts {
    const get = (target: Facts, name: string | symbol): unknown => {
      this.reads += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'object' && value !== null ? this.observe(value) : value;
    };
    const known = this.observed.get(facts) ?? new Proxy(facts, { get });
    this.observed.set(facts, known);
    return known as Facts;
  }
}

describe('The work for one more event of an order with many lines', () => {
  const goods = Array.from({ length: 100 }, () => ({ unitPrice: 100_000, quantity: 3, rate: 1_800 }));
  const about = { reason: '', key: '' };
  const refundUnit = (order: Simulated, event: number) =>
    order.refund({ ...about, kind: 'lines', lines: [{ line: 1 + (event % 100), quantity: 1 }] });
  // A refund of an amount has a row for each line, so the documents themselves grow by a row for each.
  it.each<[string, number, number, (order: Simulated, event: number) => void]>([
    ['grows with lines and refunds, not with their product', 100, 3, refundUnit],
    [
      'grows so while refunds are taken back',
      100,
      3,
      (order, event) => (event % 2 === 1 ? refundUnit(order, event) : order.takeBack(event - 1)),
    ],
    [
      'grows no faster than the rows of notes',
      10,
      10,
      (order) => order.refund({ ...about, kind: 'amount', amount: 20_000 }),
    ],
  ])('%s', (_, lines, growth, happen) => {
    const order = new CountedReads(goods.slice(0, lines), 5_000, true);
    order.ship();
    const reads = Array.from({ length: 100 }, (__, at) => {
      order.reads = 0;
      happen(order, at + 1);
      return order.reads;
    });
    expect(order.items.flatMap(({ credits }) => credits).length).toBeGreaterThanOrEqual(100);
    // An event with the one before it: a refund, and one that is taken back.
    const [after10, after50, after100] = [10, 50, 100].map((n) => reads[n - 2]! + reads[n - 1]!);
    expect(after50! / after10!).toBeLessThan(growth);
    expect(after100! / after10!).toBeLessThan(growth);
  });
});
