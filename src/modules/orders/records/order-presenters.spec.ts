import type { DocumentResponse } from '../../invoices/document.responses.js';
import type { RefundKind } from '../rules/order-steps.js';
import { refundsOf } from './order-details.js';
import { toChangeAuthor, toClientOrder } from './order-for-client.js';
import { toDeskOrder } from './order-for-desk.js';
import { toOrderOutput } from './order-for-file.js';
import { toOrderDelivery, toOrderStatus, toOrderSummary, toStoreOrderDetails } from './order-for-store.js';
import type { AfterSaleRecord, OrderRecord } from './order-record.js';

const at = (hour: number) => new Date(Date.UTC(2026, 4, 4, hour));
const ms = (hour: number) => at(hour).getTime();
const iso = (hour: number) => at(hour).toISOString();

const OWN = 'person 17 (own@example.com)';
const DESK = 'person 1 (desk@example.com)';

/** JSON as it is sent, on several lines here. */
const json = (text: string) => text.replaceAll(/\n */g, '');

const MUG = '"sku":"MUG","name":"Mug"';
const NOTES = '"before":{"notes":"come"},"after":{"notes":"call"},"reason":"They asked."';
const RETURNED = '"line":1,"quantity":3,"received":2,"restocked":1';

/** The lists of an order, as PostgreSQL sends them. */
const PARTS = JSON.parse(
  json(`{
    "items":[{"line":1,${MUG},"variationKey":"","remark":"gift wrap","metadata":{"ink":"red"},"quantity":5,
      "unitPrice":"20.00","lineTotal":"100.00","shipped":3,"cancelled":1,"refunded":2,"returned":2}],
    "timeline":[{"status":"pending","changedAt":${ms(2)},"actor":"${OWN}","note":"by UPI"}],
    "corrections":[{"changedAt":${ms(3)},"actor":"${DESK}",${NOTES}}],
    "parcels":[{"parcel":2,"courier":"Delhivery","trackingNumber":"DL1","trackingUrl":"https://dl/1",
      "shippedAt":${ms(6)},"deliveredAt":${ms(7)},"exception":"lost","noInvoice":"sample",
      "withoutIrn":"portal is down"}],
    "parcelItems":[{"parcel":2,"line":1,"quantity":3}],
    "returns":[{"returnNumber":"RT-1","key":"k1","storeReturnId":"R-1","state":"received",
      "reason":"damaged","note":"unopened","requestedAt":${ms(11)},"acceptedAt":${ms(12)},
      "sendTo":"Acme, Pune","sendBy":"2026-05-20","decidedAt":${ms(13)},"decision":"one thrown away",
      "actor":"store"}],
    "returnItems":[{"returnNumber":"RT-1",${RETURNED}}],
    "refunds":[{"refund":1,"kind":"returned","amount":"10.00","reason":"broken","returnNumber":"RT-1",
      "takesBack":null,"actor":"${DESK}","refundedAt":${ms(14)}}],
    "refundItems":[{"refund":1,"line":1,"refunded":2,"cancelled":1,"writtenOff":1,"amount":"9.00"}],
    "prepared":{"parcel":3,"lines":"1=2 2=1","preparedAt":${ms(5)},"actor":"${DESK}"}}`),
) as Pick<OrderRecord, keyof AfterSaleRecord | 'items' | 'timeline' | 'corrections' | 'prepared'>;

/** An order with everything. */
const ORDER: OrderRecord = {
  clientId: 7,
  client: 'Shop',
  orderNumber: 'WO-1',
  storeOrderId: 'S-1',
  domain: 'shop.example',
  status: 'pending',
  paymentStatus: 'paid',
  planCode: 'growth',
  origin: 'api',
  changed: '77',
  currency: 'INR',
  subtotal: '100.00',
  delivery: '34.60',
  total: '134.60',
  refundedAmount: '10.00',
  itemsCount: 1,
  customerName: 'Asha',
  customerPhone: '+91 98765 43210',
  customerEmail: 'asha@example.com',
  shippingAddress: '1 MG Road',
  shippingCity: 'Bengaluru',
  shippingState: 'Karnataka',
  shippingPincode: '560001',
  shippingCountry: 'India',
  notes: 'call',
  metadata: { cart: 'C-1' },
  placedAt: at(1),
  placedAtMicros: '1',
  statusChangedAt: at(2),
  paymentDueAt: at(20),
  paidAt: at(2),
  paymentMethod: 'upi',
  paymentReference: '42',
  openPayment: 'P-1',
  isPaymentRecorded: true,
  courier: 'DTDC',
  trackingNumber: 'DT2',
  trackingUrl: 'https://dt/2',
  shippedAt: at(4),
  deliveredAt: at(9),
  goodsState: 'lost_in_part',
  cancelledAt: at(10),
  cancelReason: 'no stock',
  packingList: 3,
  isSlipOld: true,
  isRegistered: true,
  isSuspended: false,
  awaitsIrn: true,
  ownPeople: [17],
  preparedParcel: 3,
  unlisted: 4,
  ...PARTS,
};

const HEAD = `"order_number":"WO-1","store_order_id":"S-1"`;
const PAID = `"status":"pending","payment_status":"paid"`;
const TRACKING = json(`"tracking":{"courier":"DTDC","tracking_number":"DT2","tracking_url":"https://dt/2",
  "shipped_at":"${iso(4)}"}`);
const ITEMS = json(`"items":[{"line":1,${MUG},"variation":"gift wrap","quantity":5,"unit_price":20,
  "line_total":100,"shipped":3,"cancelled":1,"refunded":2,"returned":2,"metadata":{"ink":"red"}}]`);
const PARCEL = json(`"courier":"Delhivery","tracking_number":"DL1","tracking_url":"https://dl/1",
  "shipped_at":"${iso(6)}","delivered_at":"${iso(7)}"`);
const UNITS = '"lines":[{"line":1,"quantity":3}]';
const REFUND = json(`"refund":1,"kind":"returned","amount":10,"reason":"broken","return_number":"RT-1",
  "takes_back":null,"refunded_at":"${iso(14)}"`);
const NAME = '"name":"Asha","phone":"+91 98765 43210"';
const ADDRESS = json(`"shipping":{"address":"1 MG Road","city":"Bengaluru","state":"Karnataka",
  "pincode":"560001","country":"India"}`);
const NESTED = `"customer":{${NAME},"email":"asha@example.com"},${ADDRESS},"notes":"call"`;
const METADATA = '"metadata":{"cart":"C-1"}';

const STATUS =
  json(`"success":true,${HEAD},${PAID},"total_amount":134.6,"refunded_amount":10,"currency":"INR",
  ${TRACKING},"timeline":[{"status":"pending","changed_at":"${iso(2)}"}],${ITEMS},"created_at":"${iso(1)}",
  "payment_due_at":"${iso(20)}","shipments":[{${PARCEL},"parcel":2,${UNITS}}],
  "returns":[{"number":"RT-1","store_return_id":"R-1","state":"received","reason":"damaged",
    "accepted_at":"${iso(12)}","send_to":"Acme, Pune","send_by":"2026-05-20",
    "lines":[{${RETURNED},"written_off":1,"refunded_amount":9}],"refunded":10,"answer":"one thrown away"}],
  "cancel_reason":"no stock",${METADATA}`);

const DOCUMENTS = [
  { number: 'INV-1', refund: null },
  { number: 'CN-1', refund: 1 },
  { number: 'CN-2', refund: 2 },
  { number: 'CN-3', refund: 1 },
] as DocumentResponse[];

/** The answers by presenter, byte for byte. */
const ANSWERS: [string, (order: OrderRecord) => object, string][] = [
  ['its status for a store', toOrderStatus, `{${STATUS}}`],
  [
    'in lists of a store',
    toOrderSummary,
    `{${HEAD},${PAID},"total_amount":134.6,"refunded_amount":10,"currency":"INR","items_count":1,${TRACKING},
      "created_at":"${iso(1)}","status_changed_at":"${iso(2)}","payment_due_at":"${iso(20)}",
      "cancel_reason":"no stock",${METADATA}}`,
  ],
  [
    'whole for a store',
    (order) => toStoreOrderDetails(order, DOCUMENTS),
    `{${STATUS},"subtotal":100,"delivery":34.6,${NESTED},"refunds":[{${REFUND},"delivery":1,
      "lines":[{"line":1,"quantity":2,"amount":9}],"documents":["CN-1","CN-3"]}],
      "documents":${JSON.stringify(DOCUMENTS)}}`,
  ],
  [
    'its delivery for a store',
    toOrderDelivery,
    `{"success":true,${HEAD},"status":"pending","customer":{${NAME}},${ADDRESS}}`,
  ],
  [
    'the JSON of a command',
    toOrderOutput,
    `{"order_number":"WO-1","client_id":7,"client":"Shop","store_order_id":"S-1","domain":"shop.example",
      ${PAID},"plan":"growth","currency":"INR","subtotal":100,"delivery":34.6,"total":134.6,
      "refunded_amount":10,"origin":"api","placed_at":"${iso(1)}",${NESTED},${METADATA},"packing_list":3,
      "payment":{"method":"upi","reference":"42","due_at":"${iso(20)}","paid_at":"${iso(2)}"},${TRACKING},
      "delivered_at":"${iso(9)}","goods_state":"lost_in_part","cancelled_at":"${iso(10)}",
      "cancel_reason":"no stock",${ITEMS},"parcels":[{"parcel":2,${PARCEL},"exception":"lost",
        "no_invoice":"sample","without_irn":"portal is down",${UNITS}}],
      "prepared":{"parcel":3,"lines":[{"line":1,"quantity":2},{"line":2,"quantity":1}],
        "invoiced_at":"${iso(5)}","by":"${DESK}","awaits_irn":true},
      "returns":[{"number":"RT-1","store_return_id":"R-1","state":"received","reason":"damaged",
        "note":"unopened","requested_at":"${iso(11)}","by":"store","accepted_at":"${iso(12)}",
        "send_to":"Acme, Pune","send_by":"2026-05-20","decided_at":"${iso(13)}",
        "decision":"one thrown away","refunded":10,"lines":[{${RETURNED},"refunded":9}]}],
      "refunds":[{${REFUND},"by":"${DESK}",
        "lines":[{"line":1,"refunded":2,"cancelled":1,"written_off":1,"amount":9}]}],
      "timeline":[{"status":"pending","changed_at":"${iso(2)}","actor":"${OWN}","note":"by UPI"}],
      "changes":[{"changed_at":"${iso(3)}","actor":"${DESK}",${NOTES}}],"unlisted":4}`,
  ],
];

/** What both pages show: amounts in paise, and times as dates. */
function pageOf({ items, parcels, returns, refunds, ...order }: OrderRecord) {
  const [{ variationKey: _, remark: variation, ...item }] = items as [OrderRecord['items'][0]];
  const line = { line: 1, refunded: 2, cancelled: 1, writtenOff: 1, amount: 900 };
  const units = { line: 1, quantity: 3, received: 2, restocked: 1, refunded: 900 };
  const times = { requestedAt: at(11), acceptedAt: at(12), decidedAt: at(13) };
  return {
    ...order,
    subtotal: 10_000,
    delivery: 3_460,
    total: 13_460,
    refundedAmount: 1_000,
    items: [{ ...item, variation, awaited: 0, unitPrice: 2_000, lineTotal: 10_000 }],
    parcels: [{ ...parcels![0]!, shippedAt: at(6), deliveredAt: at(7), lines: [{ line: 1, quantity: 3 }] }],
    returns: [{ ...returns![0]!, ...times, refunded: 1_000, lines: [units] }],
    refunds: [{ ...refunds![0]!, amount: 1_000, delivery: 100, refundedAt: at(14), lines: [line] }],
  };
}

describe('An order with everything', () => {
  it.each(ANSWERS)('is answered: %s', (_, present, answer) => {
    expect(JSON.stringify(present(ORDER))).toBe(json(answer));
  });

  const PAY = { status: 'pending', changedAt: at(2), note: 'by UPI' };
  const CORRECTION = { ...(JSON.parse(`{${NOTES}}`) as object), changedAt: at(3) };

  it('is shown to its client without the actors of the wholesaler', () => {
    const { ownPeople: _, ...page } = pageOf(ORDER);
    const timeline = [{ ...PAY, by: 'person', email: 'own@example.com' }];
    const corrections = [{ ...CORRECTION, by: 'wholesaler' }];
    expect(toClientOrder(ORDER)).toEqual({ ...page, timeline, corrections });
  });

  it('is shown at the desk with its actors and its prepared parcel', () => {
    const lines = [
      { line: 1, quantity: 2 },
      { line: 2, quantity: 1 },
    ];
    expect(toDeskOrder(ORDER)).toEqual({
      ...pageOf(ORDER),
      timeline: [{ ...PAY, actor: OWN }],
      corrections: [{ ...CORRECTION, actor: DESK }],
      prepared: { parcel: 3, lines, preparedAt: at(5), actor: DESK },
    });
  });
});

describe('An order without what may be absent', () => {
  const lists = ['corrections', 'parcels', 'parcelItems', 'returns', 'returnItems', 'refunds', 'refundItems'];
  const absent = ['metadata', 'cancelReason', 'shippedAt', 'prepared', 'paidAt', ...lists];
  const BARE = { ...ORDER, ...Object.fromEntries(absent.map((field) => [field, null])) };

  it('has empty lists in answers and pages', () => {
    const none = { tracking: null, returns: [], refunds: [] };
    expect(toStoreOrderDetails(BARE, [])).toMatchObject({ ...none, shipments: [] });
    const output = { ...none, parcels: [], changes: [], prepared: null, cancel_reason: null };
    expect(toOrderOutput(BARE)).toMatchObject(output);
    const page = { parcels: [], returns: [], refunds: [], corrections: [], prepared: null };
    expect(toDeskOrder(BARE)).toMatchObject(page);
  });

  it.each([toOrderStatus, toOrderSummary])('has no reason and no metadata for its store: %p', (present) => {
    expect(present(BARE)).not.toHaveProperty('cancel_reason');
    expect(present(BARE)).not.toHaveProperty('metadata');
  });
});

describe('A part of an order', () => {
  it.each([
    ['Size:M', null, 'Size:M'],
    ['', null, null],
  ])('has a variation: for the key "%s" and the remark %s it is %s', (variationKey, remark, variation) => {
    const order = { ...ORDER, items: [{ ...ORDER.items[0]!, variationKey, remark, metadata: null }] };
    expect(toOrderStatus(order).items[0]).toMatchObject({ variation });
    expect(toOrderStatus(order).items[0]).not.toHaveProperty('metadata');
  });

  it('counts all units of a cancelled order that did not leave as cancelled', () => {
    const cancelled = { ...ORDER, status: 'cancelled' as const };
    expect(toOrderStatus(cancelled).items).toMatchObject([{ cancelled: 2 }]);
  });

  it('has tracking only with a courier and the time of shipping', () => {
    for (const field of ['courier', 'shippedAt']) {
      expect(toOrderStatus({ ...ORDER, [field]: null }).tracking).toBeNull();
      expect(toOrderSummary({ ...ORDER, [field]: null }).tracking).toBeNull();
    }
    const parcels = [{ ...ORDER.parcels![0]!, deliveredAt: null, exception: null }];
    const box = { ...ORDER, parcels, parcelItems: [] };
    expect(toOrderStatus(box).shipments).toMatchObject([{ delivered_at: null, lines: [] }]);
    expect(toClientOrder(box).parcels).toMatchObject([{ deliveredAt: null }]);
    expect(toOrderOutput(box).parcels[0]).not.toHaveProperty('exception');
  });

  it.each([
    ['requested', null, {}],
    ['refused', 'worn', { refusal_reason: 'worn' }],
    ['refused', null, {}],
    ['received', null, {}],
    ['partly_received', 'one is missing', { answer: 'one is missing' }],
  ] as const)('is a return that is %s with the decision %s', (state, decision, words) => {
    const open = { storeReturnId: null, acceptedAt: null, sendTo: null, sendBy: null, decidedAt: null };
    const returns = [{ ...ORDER.returns![0]!, ...open, state, decision }];
    const items = [{ returnNumber: 'RT-1', line: 1, quantity: 3, received: null, restocked: 0 }];
    const order = { ...ORDER, returns, returnItems: items, refunds: null };
    expect(toOrderStatus(order).returns[0]).toEqual({
      number: 'RT-1',
      state,
      reason: 'damaged',
      lines: [{ line: 1, quantity: 3, received: null, restocked: 0, written_off: 0, refunded_amount: 0 }],
      refunded: 0,
      ...words,
    });
    expect(toOrderOutput(order).returns[0]).toMatchObject({ accepted_at: null, decided_at: null, decision });
    expect(toClientOrder(order).items[0]!.awaited).toBe(state === 'requested' ? 3 : 0);
  });

  it('is a refund, with its share for the delivery', () => {
    const refund = (number: number, kind: RefundKind, amount: string, takesBack: number | null = null) => ({
      ...ORDER.refunds![0]!,
      refund: number,
      kind,
      amount,
      takesBack,
    });
    const refunds = [
      refund(1, 'cancelled', '150.00'),
      refund(2, 'amount', '9.00'),
      refund(3, 'delivery', '50.00'),
      refund(4, 'taken_back', '-9.00', 2),
      refund(5, 'taken_back', '-50.00', 3),
    ];
    const refundItems = [{ refund: 1, line: 1, refunded: 1, cancelled: 0, writtenOff: 0, amount: '118.00' }];
    const shares = refundsOf({ refunds, refundItems }).map(({ delivery }) => delivery);
    expect(shares).toEqual([3_200, 0, 5_000, 0, -5_000]);
  });

  it('is a delivery with a warning about its PIN code', () => {
    expect(toOrderDelivery({ ...ORDER, shippingPincode: '400001' })).toHaveProperty('warnings');
  });

  it.each([
    ['store', { by: 'store' }],
    ['system', { by: 'service' }],
    ['auto-pay', { by: 'auto-pay' }],
    ['gateway', { by: 'gateway' }],
    ['person 17 (asha@example.com)', { by: 'person', email: 'asha@example.com' }],
    ['person 1 (asha@example.com)', { by: 'wholesaler' }],
    ['operator:asha', { by: 'wholesaler' }],
    ['toString', { by: 'wholesaler' }],
    ['a person 17 (asha@example.com)', { by: 'wholesaler' }],
    ['person 17 (asha@example.com) and others', { by: 'wholesaler' }],
    ['person seven (asha@example.com)', { by: 'wholesaler' }],
    ['person 17 ()', { by: 'wholesaler' }],
  ])('is a change by %s, as its client may see', (actor, author) => {
    expect(toChangeAuthor(actor, [3, 17])).toEqual(author);
  });
});
