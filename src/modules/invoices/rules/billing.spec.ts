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
  type ItemChange,
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

type Parts = Omit<BilledOrder['refunded'][number], 'of'> & { of?: number };

/** Refunds that are of their own number, unless they take another one back, of units at 10.00. */
const parted = (parts: readonly Parts[]) =>
  parts.map((part) => ({ of: part.refund, ...(part.line && { units: part.amount / 1_000 }), ...part }));

const note = (amount: number, refund: number | null = null, isUntaxed = false) => ({
  refund,
  isUntaxed,
  quantity: 0,
  amount,
});

/** Units at 10.00. */
const unitsOf = (quantity: number, refund: number | null = null) => ({
  ...note(quantity * 1_000, refund),
  quantity,
});

const commercial = (amount: number, refund: number | null = 2) => ({
  ...note(amount, refund, true),
  isCommercial: true,
});

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
    private readonly refunded: BilledOrder['refunded'] = [],
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

  debits() {
    return deliveryDebits(this.order, this.invoices).map(({ item, amount }) => ({
      line: item.line,
      rate: item.rate,
      amount,
    }));
  }

  /** Applies the debits. */
  debit(): this {
    for (const { item, amount } of deliveryDebits(this.order, this.invoices)) item.gross += amount;
    return this;
  }

  /** The delivery that each invoice bills, by rate. */
  billed() {
    return this.invoices.map(({ items }) =>
      items.filter((item) => item.line === 0).map((item) => [item.rate, item.gross]),
    );
  }
}

describe('The delivery', () => {
  const goods = [
    line(1, { unitPrice: 10_000, quantity: 3, rate: 0 }),
    line(2, { unitPrice: 5_000, quantity: 2, rate: 1_800 }),
    line(3, { unitPrice: 10_000, quantity: 1, rate: 1_800 }),
  ];
  const shipping = (refunded: BilledOrder['refunded'] = []) => new Shipping(goods, 5_000, refunded);
  const of = (number: number | null, amount: number) => [{ refund: 1, of: 1, line: number, amount }];

  it('is billed with its goods by their value, with an item for each rate', () => {
    const { invoices } = shipping().ship([3, 1, 1]);
    const item = { line: 0, description: 'Delivery', sku: '', unit: '', quantity: 1, treatment: 'taxable' };
    expect(invoices[0]!.items.slice(3)).toEqual([
      { ...item, hsn: '1000', unitPrice: 3_000, rate: 0, gross: 3_000 },
      { ...item, hsn: '3000', unitPrice: 1_500, rate: 1_800, gross: 1_500 },
    ]);
    expect(shipping().ship([0, 2, 1]).invoices[0]!.items[2]).toMatchObject({ hsn: '2000', gross: 2_000 });
    expect(new Shipping(goods, 0).ship([3, 2, 1]).billed()).toEqual([[]]);
  });

  it('is the same in any sequence, and of the units that nothing else bills with the last parcel', () => {
    expect(shipping().ship([3]).ship([0, 2, 1]).billed()).toEqual([[[0, 3_000]], [[1_800, 2_000]]]);
    expect(shipping().ship([0, 2, 1]).ship([3]).billed()).toEqual([[[1_800, 2_000]], [[0, 3_000]]]);
    const last = shipping().ship([1, 0, 1], 'sample').ship([2, 1, 0]).ship([0, 1, 0]);
    expect(last.billed()).toEqual([
      [
        [0, 2_000],
        [1_800, 500],
      ],
      [[1_800, 2_500]],
    ]);
    expect(last.debits()).toEqual([]);
  });

  it('of units that nothing else bills is for the goods that have a share, or by value if none has', () => {
    const lines = (first: number, second: number, sample: number) => [
      line(1, { unitPrice: first, quantity: 1, rate: 500 }),
      line(2, { unitPrice: second, quantity: 1 }),
      line(3, { unitPrice: sample, quantity: 1 }),
    ];
    const last = (delivery: number, ...prices: [number, number, number]) =>
      new Shipping(lines(...prices), delivery).ship([0, 0, 1], 'sample').ship([1, 1]).billed();
    expect(last(3, 1, 2, 6)).toEqual([[[1_800, 3]]]);
    expect(last(4, 1, 3, 1_000)).toEqual([
      [
        [500, 1],
        [1_800, 3],
      ],
    ]);
  });

  it('that an invoice lacks is billed with the next parcel, not debited', () => {
    const order = shipping().ship([1]);
    order.invoices[0]!.items.pop();
    expect(order.debits()).toEqual([]);
    expect(order.ship([1]).billed()).toEqual([[], [[0, 2_000]]]);
  });

  it.each([
    ['export under LUT', [[[0, 1_000]]]],
    ['elsewhere', [[[0, 1_000]]]],
    ['replacement', [[[0, 5_000]]]],
    ['sample', [[[0, 5_000]]]],
    ['elsewheres', [[[0, 5_000]]]],
  ])('of a parcel without an invoice is billed elsewhere, or with other goods: %s', (reason, billed) => {
    expect(shipping().ship([2, 2, 1], reason).ship([1]).billed()).toEqual(billed);
    expect(shipping().ship([1]).ship([2, 2, 1], reason).debit().invoices[0]!.items[1]).toMatchObject({
      gross: billed[0]![0]![1],
    });
  });

  it('is debited to the newest invoice if the rest is cancelled after it', () => {
    const order = shipping().ship([0, 0, 1]).ship([1, 1]);
    expect(order.debits()).toEqual([]);
    expect(order.cancel().debits()).toEqual([
      { line: 0, rate: 0, amount: 1_667 },
      { line: 0, rate: 1_800, amount: 833 },
    ]);
    expect(order.debit().debits()).toEqual([]);
    // A later invoice replaces what was debited, and other goods take it over.
    expect(order.reissue(2).billed()[1]).toEqual([
      [0, 2_667],
      [1_800, 1_333],
    ]);
    expect(order.withdraw().debits()).toEqual([]);
    expect(shipping().cancel().debits()).toEqual([]);
  });

  it('of cancelled units is not billed if it was refunded', () => {
    const after = (refunded: BilledOrder['refunded']) => shipping(refunded).ship([1]).cancel().debits();
    expect(after(of(0, 5_000))).toEqual([]);
    expect(after([...of(0, 5_000), ...of(0, -5_000)])).toEqual([{ line: 0, rate: 0, amount: 4_000 }]);
    for (const refunded of [of(null, 5_000), of(1, 5_000)])
      expect(after(refunded)).toEqual([{ line: 0, rate: 0, amount: 4_000 }]);
  });

  it('is debited to goods whose invoice has no delivery', () => {
    const lines = [line(1, { unitPrice: 0, quantity: 1 }), line(2, { unitPrice: 50_000, quantity: 1 })];
    const order = new Shipping(lines, 4_000).ship([1]).cancel();
    expect(order.debits()).toEqual([{ line: 1, rate: 1_800, amount: 4_000 }]);
    expect(order.debit().debits()).toEqual([]);
    expect(toDeliveryItem(order.invoices[0]!.items[0]!, 4_000)).toEqual({
      line: 0,
      description: 'Delivery',
      sku: '',
      hsn: '1000',
      unit: '',
      quantity: 1,
      unitPrice: 4_000,
      rate: 1_800,
      treatment: 'taxable',
      gross: 4_000,
    });
    const free = lines.map((one) => ({ ...one, unitPrice: 0 }));
    expect(new Shipping(free, 4_001).ship([1]).ship([0, 1]).billed()).toEqual([
      [[1_800, 2_001]],
      [[1_800, 2_000]],
    ]);
    expect(new Shipping(free.slice(1), 1).ship([0, 1]).billed()).toEqual([[[1_800, 1]]]);
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
  const order = ({
    refunded,
    ...given
  }: Partial<Omit<BilledOrder, 'refunded'>> & { refunded: readonly Parts[] }): BilledOrder => ({
    lines: [line(1), line(2), line(3, { unitPrice: 0 })],
    left: [],
    delivery: 5_000,
    refunded: parted(refunded),
    ...given,
  });
  const item = (number: number, gross: number, credited = 0, unitPrice = 1_000) => ({
    line: number,
    quantity: gross / Math.max(1, unitPrice),
    gross,
    credits: [note(credited)],
  });
  const printed = (credits: ItemChange<{ line: number }>[]) =>
    credits.map(({ item: { line: number }, quantity, amount }) => [number, quantity, amount]);

  it('are for the delivery', () => {
    const refunded = [{ refund: 1, line: 0, amount: 5_000 }];
    const items = [item(1, 10_000), item(0, 5_000, 0, 5_000)];
    expect(printed(creditsDue(order({ refunded }), items))).toEqual([[0, 1, 5_000]]);
    expect(creditsDue(order({ refunded }), items.slice(0, 1))).toEqual([]);
  });

  const keptOf = (
    refunded: readonly Parts[],
    ...again: { item: ReturnType<typeof item>; credits: ReturnType<typeof note>[] }[]
  ) =>
    keptCredits(
      order({ refunded }),
      again.map(({ item: own, credits }) => ({ item: own, replaced: { credits } })),
    );
  const named = (changes: ReturnType<typeof keptOf>) =>
    changes.map(({ item: { line: number }, quantity, amount, refund, isUntaxed }) => [
      number,
      quantity,
      amount,
      refund,
      isUntaxed,
    ]);

  it('keep no more than the replaced items had, or the new ones have', () => {
    const refunded = [
      { refund: 1, line: 1, amount: 1_000 },
      { refund: 2, line: 1, amount: 2_000 },
      { refund: 3, of: 1, line: 1, amount: -1_000 },
    ];
    // The credit of refund 1 was on another item.
    const one = [note(-500, 3), unitsOf(2, 2)];
    expect(named(keptOf(refunded, { item: item(1, 10_000), credits: one }))).toEqual([
      [1, 2, 1_500, 2, false],
    ]);
    const two = [note(-500, 3), unitsOf(1, 2), note(600)];
    expect(named(keptOf(refunded, { item: item(1, 10_000), credits: two }))).toEqual([
      [1, 1, 1_000, 2, false],
      [1, 0, 100, null, false],
    ]);
    const small = item(1, 2_500);
    const twice = { item: small, credits: [unitsOf(2, 2)] };
    expect(named(keptOf(refunded, twice, twice))).toEqual([
      [1, 2, 2_000, 2, false],
      [1, 2, 500, 2, false],
    ]);
    expect(keptOf(refunded, twice, twice, { item: small, credits: [commercial(1)] })).toHaveLength(2);
  });

  it('keep no more units than the replaced items had', () => {
    const refunded = [
      { refund: 1, line: 1, amount: 1_000 },
      { refund: 2, line: 1, amount: 2_000 },
      { refund: 3, of: 1, line: 1, amount: -1_000 },
    ];
    const credits = [unitsOf(-1, 3), unitsOf(2, 2), unitsOf(2)];
    expect(named(keptOf(refunded, { item: item(1, 10_000), credits }))).toEqual([
      [1, 2, 2_000, 2, false],
      [1, 1, 1_000, null, false],
    ]);
  });

  it('are kept before others are due', () => {
    const items = [item(1, 10_000), item(2, 10_000)];
    const refunded = [
      { refund: 1, line: 1, amount: 2_000 },
      { refund: 2, line: null, amount: 1_000, isCommercial: true },
      { refund: 3, line: 2, amount: 3_000 },
    ];
    const kept = keptOf(
      refunded,
      { item: items[0]!, credits: [unitsOf(2, 1)] },
      { item: items[1]!, credits: [commercial(600)] },
    );
    expect(named(creditsDue(order({ refunded }), items, kept))).toEqual([
      [1, 2, 2_000, 1, false],
      [2, 0, 600, 2, true],
      [2, 3, 3_000, 3, false],
      [1, 0, 222, 2, true],
      [2, 0, 178, 2, true],
    ]);
  });

  it('of commercial refunds give way to the units of their line', () => {
    const refunds = (amount: number, of: number | null = 1) => [
      { refund: 1, line: null, amount: 300, isCommercial: true },
      { refund: 2, line: of, amount },
    ];
    const items = [{ ...item(1, 10_000), credits: [commercial(300, 1)] }, item(2, 10_000)];
    const now = (refunded: readonly Parts[], refund = 2) => order({ refunded, refund: { refund } });
    const debited = (refunded: readonly Parts[], all = items) => named(commercialDebits(now(refunded), all));
    expect(debited(refunds(10_000))).toEqual([[1, 0, 300, 1, true]]);
    expect(debited(refunds(9_800))).toEqual([[1, 0, 100, 1, true]]);
    expect(debited(refunds(9_700))).toEqual([]);
    expect(debited(refunds(10_000, 2))).toEqual([]);
    expect(debited(refunds(10_000, null))).toEqual([]);
    // An older note may name no refund.
    expect(debited(refunds(10_000), [{ ...item(1, 10_000), credits: [commercial(300, null)] }])).toEqual([
      [1, 0, 300, 1, true],
    ]);
    const two = [...refunds(9_700).slice(0, 1), { refund: 2, line: null, amount: 200, isCommercial: true }];
    const third = [...two, { refund: 3, line: 1, amount: 9_800 }];
    const credits = [commercial(300, 1), commercial(200, 2)];
    expect(named(commercialDebits(now(third, 3), [{ ...item(1, 10_000), credits }]))).toEqual([
      [1, 0, 300, 1, true],
    ]);
    expect(
      named(
        commercialDebits(now([...two, { ...third[2]!, amount: 9_900 }], 3), [
          { ...item(1, 10_000), credits },
        ]),
      ),
    ).toEqual([
      [1, 0, 300, 1, true],
      [1, 0, 100, 2, true],
    ]);
    expect(commercialRefundOf(now(third))).toBe(2);
    expect(commercialRefundOf(now(third.slice(2)))).toBeNull();
    // A late note is no commercial one.
    expect(debited(refunds(10_000), [{ ...item(1, 10_000), credits: [note(300, 1, true)] }])).toEqual([]);
    const parcels = [1, 2, 3].map((n) => ({ ...item(1, 3_000), credits: [commercial(100 * n, 1)] }));
    expect(debited(refunds(8_650), parcels)).toEqual([
      [1, 0, 100, 1, true],
      [1, 0, 150, 1, true],
    ]);
    const both = refunds(10_000);
    expect(named(creditsDue(now(both), items))).toEqual([
      [1, 10, 10_000, 2, false],
      [2, 0, 300, 1, true],
    ]);
    // The order has no other line that was invoiced yet.
    expect(named(creditsDue(now(both), items.slice(0, 1)))).toEqual([[1, 10, 10_000, 2, false]]);
    const back = [...both, { refund: 3, of: 2, line: 1, amount: -10_000 }];
    expect(commercialDebits(now(back, 3), items)).toEqual([]);
  });

  it('are not of a refund that an older note without a refund has credited', () => {
    const refunded = [
      { refund: 1, line: 1, amount: 2_000 },
      { refund: 2, line: null, amount: 300, isCommercial: true },
      { refund: 3, line: null, amount: 500 },
    ];
    const due = (refunds: typeof refunded, ...credits: ReturnType<typeof note>[]) =>
      named(
        creditsDue(order({ refunded: refunds, refund: { refund: 3 } }), [{ ...item(1, 10_000), credits }]),
      );
    const older = { ...note(2_000, null), quantity: 2 };
    expect(due(refunded, older, commercial(300, null))).toEqual([[1, 0, 500, 3, false]]);
    expect(due(refunded, older)).toEqual([
      [1, 0, 500, 3, false],
      [1, 0, 300, 2, true],
    ]);
    // The second unit and its money are still due, but not the first.
    expect(due(refunded, { ...note(1_000, null), quantity: 1 }, commercial(300, null))).toEqual([
      [1, 1, 1_000, 1, false],
      [1, 0, 500, 3, false],
    ]);
    const now = [...refunded.slice(0, 2), { refund: 3, line: 1, amount: 1_000 }];
    expect(due(now, older, commercial(300, null))).toEqual([[1, 1, 1_000, 3, false]]);
  });

  it('have the units of the refund, also if the line has no room for their price', () => {
    const refunded = [
      { refund: 1, line: null, amount: 1_500 },
      { refund: 2, line: 1, amount: 3_000 },
      { refund: 3, line: 1, amount: 2_000 },
    ];
    const items = [
      { ...item(1, 3_000), credits: [note(1_500, 1)] },
      { ...item(1, 2_000), credits: [] },
      item(2, 10_000),
    ];
    const due = (now: number, all = items) =>
      named(creditsDue(order({ refunded: refunded.slice(0, now), refund: { refund: now } }), all));
    expect(due(2)).toEqual([
      [1, 3, 1_500, 2, false],
      [1, 0, 1_500, 2, false],
    ]);
    const [first, second, third] = items;
    const after = [
      { ...first!, credits: [note(1_500, 1), { ...note(1_500, 2), quantity: 3 }] },
      { ...second!, credits: [note(1_500, 2)] },
    ];
    expect(due(3, [...after, third!])).toEqual([
      [1, 2, 500, 3, false],
      [2, 0, 1_500, 3, false],
    ]);
    const few = [{ ...item(1, 3_000), credits: [{ ...note(1_000, 2), quantity: 2 }] }];
    expect(due(3, few)).toEqual([[1, 1, 2_000, 3, false]]);
    // A parcel of two of the units.
    expect(due(2, [{ ...item(1, 2_000), credits: [] }])).toEqual([[1, 2, 2_000, 2, false]]);
    const twice = [item(1, 4_000), item(1, 1_000), { ...item(2, 10_000), credits: [note(1_500, 1)] }];
    expect(due(3, twice)).toEqual([
      [1, 2, 2_000, 3, false],
      [1, 2, 2_000, 2, false],
      [1, 1, 1_000, 2, false],
    ]);
  });

  it('of an older refund come for its own line beside those of the refund that is made now', () => {
    const refunded = [
      { refund: 1, line: 2, amount: 3_000 },
      { refund: 2, line: 1, amount: 5_000 },
    ];
    const now = order({ refunded, refund: { refund: 2 } });
    expect(printed(creditsDue(now, [item(1, 10_000), item(2, 10_000)]))).toEqual([
      [1, 5, 5_000],
      [2, 3, 3_000],
    ]);
  });

  it('change no tax for a commercial refund, until it is credited', () => {
    const refunded = [
      { refund: 1, line: 1, amount: 1_000 },
      { refund: 2, line: null, amount: 3_000, isCommercial: true },
    ];
    const due = (first: number, ...credits: ReturnType<typeof note>[]) => {
      const items = [item(1, 10_000, first), { ...item(2, 10_000), credits }];
      return creditsDue(order({ refunded }), items).map(({ item: { line: number }, ...change }) => [
        number,
        change.amount,
        change.isUntaxed,
      ]);
    };
    expect(due(0)).toEqual([
      [1, 1_000, false],
      [1, 1_421, true],
      [2, 1_579, true],
    ]);
    expect(due(0, commercial(3_000))).toEqual([[1, 1_000, false]]);
    expect(due(0, commercial(3_001))).toEqual([[1, 999, false]]);
    expect(due(1_000, commercial(1_000))).toEqual([
      [1, 1_000, true],
      [2, 1_000, true],
    ]);
    // A late note is no commercial one.
    expect(due(0, note(500, 2, true))).toEqual([
      [1, 500, false],
      [1, 1_500, true],
      [2, 1_000, true],
      [2, 500, true],
    ]);
  });
});

describe('The debits that a refund needs which is taken back', () => {
  const item = (number: number, ...credits: (number | ReturnType<typeof note>)[]) => ({
    line: number,
    quantity: 10,
    gross: 10_000,
    credits: credits.map((one) => (typeof one === 'number' ? note(one) : one)),
  });
  const order = (refunded: readonly Parts[], now = refunded.at(-1)!.refund): BilledOrder => ({
    lines: [line(1), line(2)],
    left: [],
    delivery: 5_000,
    refunded: parted(refunded),
    refund: { refund: now },
  });
  const printed = (changes: ItemChange<{ line: number }>[]) =>
    changes.map(({ item: { line: number }, quantity, amount }) => [number, quantity, amount]);

  it('are for its lines, with their units', () => {
    const refunded = [
      { refund: 1, line: 2, amount: 3_000 },
      { refund: 2, line: 1, amount: 1_000 },
      { refund: 3, of: 1, line: 2, amount: -3_000 },
    ];
    const items = [item(1, 1_000), item(2, unitsOf(2, 1)), item(2, unitsOf(1))];
    expect(debitsDue(order(refunded), items)).toEqual([
      { item: items[1], quantity: 2, amount: 2_000, refund: 3, isUntaxed: false },
      { item: items[2], quantity: 1, amount: 1_000, refund: 3, isUntaxed: false },
    ]);
  });

  it('are without units of other lines, or that other refunds of the line keep', () => {
    const refunded = [
      { refund: 1, line: 1, amount: 5_000 },
      { refund: 2, line: 1, amount: 3_000 },
      { refund: 3, of: 1, line: 1, amount: -5_000 },
    ];
    const parcel = { ...item(1, unitsOf(5, 1)), quantity: 5, gross: 5_000 };
    expect(printed(debitsDue(order(refunded), [parcel]))).toEqual([[1, 2, 2_000]]);
    expect(printed(debitsDue(order(refunded), [item(1, unitsOf(2, 1), unitsOf(6))]))).toEqual([
      [1, 2, 5_000],
    ]);
    const other = [refunded[0]!, { refund: 2, line: 2, amount: 1_000 }, refunded[2]!];
    expect(printed(debitsDue(order(other), [item(2, unitsOf(3, 2))]))).toEqual([[2, 0, 2_000]]);
  });

  it.each([false, true])(
    'are of its own kind if it has no credit of its own: commercial %s',
    (isCommercial) => {
      const refunded = [
        { refund: 1, line: null, amount: 500, isCommercial },
        { refund: 2, line: null, amount: 1_000, isCommercial: !isCommercial },
        { refund: 3, of: 1, line: null, amount: -500, isCommercial },
      ];
      const ofKind = (amount: number, kind: boolean, refund: number | null = null) =>
        kind ? commercial(amount, refund) : note(amount, refund);
      const other = ofKind(1_000, !isCommercial);
      for (const credits of [
        [ofKind(500, isCommercial), other],
        [ofKind(500, isCommercial, 2), other],
      ])
        expect(debitsDue(order(refunded), [item(1, ...credits)])).toMatchObject([
          { amount: 500, isUntaxed: isCommercial },
        ]);
    },
  );

  it('are all of its credits, though a refund of the other kind waits for their room', () => {
    const part = (refund: number, amount: number, isCommercial = false) => ({
      refund,
      line: isCommercial ? null : 1,
      amount,
      isCommercial,
    });
    const changes = (refunded: readonly Parts[], ...credits: ReturnType<typeof note>[]) => {
      const now = order(refunded);
      const items = [{ ...item(1, ...credits), gross: 5_000 }];
      return [...debitsDue(now, items), ...creditsDue(now, items)].map((one) => [
        one.quantity,
        one.amount,
        one.refund,
        one.isUntaxed,
      ]);
    };
    const taken = [part(1, 2_000, true), part(2, 5_000), { ...part(3, -5_000), of: 2 }];
    expect(changes(taken, unitsOf(5, 2))).toEqual([
      [5, 5_000, 3, false],
      [0, 2_000, 1, true],
    ]);
    const agreed = [part(1, 2_000, true), part(2, 5_000), { ...part(3, -2_000, true), of: 1 }];
    expect(changes(agreed, commercial(2_000, 1), unitsOf(3, 2))).toEqual([
      [0, 2_000, 3, true],
      [2, 2_000, 2, false],
    ]);
    // A part of it waits itself, beside the refund of a cancelled unit.
    const waiting = [part(1, 2_000, true), part(2, 3_500), { refund: 3, line: 2, amount: 1_000 }];
    const now = {
      ...order([...waiting, { ...part(4, -1_000, true), of: 1 }]),
      lines: [line(1), line(2, { cancelled: 1 })],
    };
    const items = [{ ...item(1, commercial(1_500, 1), note(3_500, 2)), gross: 5_000 }];
    expect(printed(debitsDue(now, items))).toEqual([[1, 0, 500]]);
  });

  it('are of late credits before commercial ones, and change no tax', () => {
    const refunded = [
      { refund: 1, line: null, amount: 300, isCommercial: true },
      { refund: 2, line: null, amount: 500 },
      { refund: 3, of: 2, line: null, amount: -500 },
    ];
    expect(debitsDue(order(refunded), [item(1, commercial(300, 1), note(500, null, true))])).toMatchObject([
      { amount: 500, refund: 3, isUntaxed: true },
    ]);
    expect(debitsDue(order(refunded), [item(1, commercial(500, 1), note(300, null, true))])).toMatchObject([
      { amount: 300, isUntaxed: true },
      { amount: 200, isUntaxed: true, isCommercial: true },
    ]);
  });

  it('are of credits at a dispatch if it has none of its own, and of others at last', () => {
    const refunded = [
      { refund: 1, line: 1, amount: 3_000 },
      { refund: 2, line: 1, amount: 2_000 },
      { refund: 3, of: 2, line: 1, amount: -2_000 },
    ];
    const debited = (...credits: Parameters<typeof item>[1][]) =>
      printed(debitsDue(order(refunded), [item(1, note(3_000, 1)), item(1, ...credits)]));
    expect(debited(unitsOf(2))).toEqual([[1, 2, 2_000]]);
    expect(debited(2_000)).toEqual([[1, 0, 2_000]]);
    expect(debitsDue(order(refunded), [item(1, note(3_000, 1), 1_200), item(2, note(800, 2))])).toMatchObject(
      [
        { item: { line: 1 }, quantity: 0, amount: 1_200 },
        { item: { line: 2 }, quantity: 0, amount: 800 },
      ],
    );
    for (const named of [null, 1]) {
      const more = order([
        { refund: 1, line: null, amount: 1_000 },
        { refund: 2, line: named, amount: 1_700 },
        { refund: 3, of: 2, line: named, amount: -1_700 },
      ]);
      expect(printed(debitsDue(more, [item(1, note(1_000, 2), 500), item(2, note(1_200, 1))]))).toEqual([
        [1, 0, 1_500],
        [2, 0, 200],
      ]);
    }
    // An earlier refund was debited on what this one had credited.
    const other = [...refunded.slice(0, 2), { refund: 3, of: 1, line: 1, amount: -3_000 }];
    const back = order([...other, { refund: 4, of: 2, line: 1, amount: -2_000 }]);
    const items = [item(1, unitsOf(2, 2), unitsOf(-2, 3)), item(1, unitsOf(3, 1), unitsOf(-1, 3))];
    expect(printed(debitsDue(back, items))).toEqual([[1, 2, 2_000]]);
  });
});

interface Issued extends InvoiceItem, InvoicedItem {
  parcel: number;
  credits: ReturnType<typeof note>[];
  /** The time for a credit of tax is over. */
  isEnded: boolean;
  parts: ReturnType<typeof taxWithin>[];
}

/** An order whose steps follow the rules of orders, with its documents. */
class Simulated {
  readonly items: Issued[] = [];
  private left: BilledOrder['left'] = [];
  private readonly refunded: BilledOrder['refunded'][number][] = [];
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
