import type { DocumentResponse } from '../../invoices/document.responses.js';
import type { RefundKind } from '../rules/order-steps.js';
import { refundsOf } from './after-sale.mapper.js';
import type { StoreOrderRow, StoreOrder } from './order-view.js';
import {
  toOrderDelivery,
  toOrderOutput,
  toOrderStatus,
  toOrderSummary,
  toStoreOrderDetails,
} from './order.mapper.js';

const at = (hour: number) => new Date(Date.UTC(2026, 4, 4, hour));

const VIEW = {
  orderNumber: 'WO-1',
  storeOrderId: null,
  status: 'pending',
  paymentStatus: 'paid',
  currency: 'INR',
  total: '134.60',
  refundedAmount: '10.00',
  courier: null,
  trackingNumber: null,
  trackingUrl: null,
  shippedAt: null,
  cancelReason: null,
  placedAt: at(1),
  paymentDueAt: at(3),
  metadata: null,
} as const;

const NO_MOVES = { shipped: 0, cancelled: 0, refunded: 0, returned: 0 };

type Item = StoreOrder['items'][number];

/** One unit at 1.00 that has not moved. */
const item = (line: number, sku: string, name: string, more: Partial<Item> = {}): Item => ({
  ...NO_MOVES,
  line,
  sku,
  name,
  variationKey: '',
  remark: null,
  metadata: null,
  quantity: 1,
  unitPrice: '1.00',
  lineTotal: '1.00',
  ...more,
});

const RECORD: StoreOrder = {
  ...VIEW,
  items: [
    item(1, 'MUG', 'Mug', {
      remark: 'gift wrap',
      quantity: 2,
      unitPrice: '33.65',
      lineTotal: '67.30',
      shipped: 2,
      returned: 1,
    }),
    item(2, 'SHIRT', 'Shirt', { variationKey: 'Size:S', unitPrice: '67.30', lineTotal: '67.30' }),
    item(3, 'POT', 'Pot', { unitPrice: '0.00', lineTotal: '0.00' }),
  ],
  timeline: [
    { status: 'awaiting_payment', changedAt: at(1).getTime() },
    { status: 'pending', changedAt: at(2).getTime() },
  ],
  parcels: [
    {
      parcel: 1,
      courier: 'Delhivery',
      trackingNumber: 'DL1',
      trackingUrl: null,
      shippedAt: at(2).getTime(),
      deliveredAt: null,
      exception: 'lost',
      noInvoice: 'sample',
      withoutIrn: 'portal is down',
    },
    {
      parcel: 2,
      courier: 'DTDC',
      trackingNumber: null,
      trackingUrl: null,
      shippedAt: at(3).getTime(),
      deliveredAt: at(4).getTime(),
      exception: null,
      noInvoice: null,
      withoutIrn: null,
    },
  ],
  parcelItems: [
    { parcel: 1, line: 1, quantity: 2 },
    { parcel: 2, line: 2, quantity: 1 },
  ],
  returns: [
    {
      returnNumber: 'RT-1',
      key: 'k1',
      storeReturnId: null,
      state: 'received',
      reason: 'damaged',
      note: null,
      requestedAt: at(5).getTime(),
      acceptedAt: at(5).getTime(),
      sendTo: 'Acme\nPune 411001',
      sendBy: '2026-05-20',
      decidedAt: at(6).getTime(),
      decision: 'thrown away',
      actor: 'test',
    },
    {
      returnNumber: 'RT-2',
      key: 'k2',
      storeReturnId: 'R-2',
      state: 'requested',
      reason: 'too small',
      note: 'unopened',
      requestedAt: at(7).getTime(),
      acceptedAt: null,
      sendTo: null,
      sendBy: null,
      decidedAt: null,
      decision: null,
      actor: 'test',
    },
  ],
  returnItems: [
    { returnNumber: 'RT-1', line: 1, quantity: 1, received: 1, restocked: 0 },
    { returnNumber: 'RT-2', line: 2, quantity: 1, received: null, restocked: 0 },
  ],
  refunds: [
    {
      refund: 1,
      kind: 'returned',
      amount: '8.00',
      reason: 'damaged',
      returnNumber: 'RT-1',
      takesBack: null,
      actor: 'test',
      refundedAt: at(6).getTime(),
    },
    {
      refund: 2,
      kind: 'amount',
      amount: '2.00',
      reason: 'late',
      returnNumber: null,
      takesBack: null,
      actor: 'test',
      refundedAt: at(8).getTime(),
    },
  ],
  refundItems: [{ refund: 1, line: 1, refunded: 1, cancelled: 0, writtenOff: 0, amount: '8.00' }],
};

const SUMMARY: StoreOrderRow = {
  ...VIEW,
  itemsCount: 3,
  placedAtMicros: '1',
  statusChangedAt: at(2),
  changed: '7',
};

const HEAD = {
  order_number: 'WO-1',
  store_order_id: null,
  status: 'pending',
  payment_status: 'paid',
  total_amount: 134.6,
  refunded_amount: 10,
  currency: 'INR',
};

const SHIPPED = { courier: 'Delhivery', trackingNumber: 'DL1', trackingUrl: null, shippedAt: at(2) };
const TRACKING = {
  courier: 'Delhivery',
  tracking_number: 'DL1',
  tracking_url: null,
  shipped_at: '2026-05-04T02:00:00.000Z',
};

describe('An order in the store API', () => {
  it('has its lines and its timeline', () => {
    expect(toOrderStatus(RECORD)).toEqual({
      success: true,
      ...HEAD,
      tracking: null,
      timeline: [
        { status: 'awaiting_payment', changed_at: '2026-05-04T01:00:00.000Z' },
        { status: 'pending', changed_at: '2026-05-04T02:00:00.000Z' },
      ],
      items: [
        {
          line: 1,
          sku: 'MUG',
          name: 'Mug',
          variation: 'gift wrap',
          quantity: 2,
          unit_price: 33.65,
          line_total: 67.3,
          ...NO_MOVES,
          shipped: 2,
          returned: 1,
        },
        {
          line: 2,
          ...NO_MOVES,
          sku: 'SHIRT',
          name: 'Shirt',
          variation: 'Size:S',
          quantity: 1,
          unit_price: 67.3,
          line_total: 67.3,
        },
        {
          line: 3,
          ...NO_MOVES,
          sku: 'POT',
          name: 'Pot',
          variation: null,
          quantity: 1,
          unit_price: 0,
          line_total: 0,
        },
      ],
      created_at: '2026-05-04T01:00:00.000Z',
      payment_due_at: '2026-05-04T03:00:00.000Z',
      shipments: [
        { ...TRACKING, delivered_at: null, parcel: 1, lines: [{ line: 1, quantity: 2 }] },
        {
          courier: 'DTDC',
          tracking_number: null,
          tracking_url: null,
          shipped_at: '2026-05-04T03:00:00.000Z',
          delivered_at: '2026-05-04T04:00:00.000Z',
          parcel: 2,
          lines: [{ line: 2, quantity: 1 }],
        },
      ],
      returns: [
        {
          number: 'RT-1',
          state: 'received',
          reason: 'damaged',
          accepted_at: '2026-05-04T05:00:00.000Z',
          send_to: 'Acme\nPune 411001',
          send_by: '2026-05-20',
          lines: [{ line: 1, quantity: 1, received: 1, restocked: 0, written_off: 1, refunded_amount: 8 }],
          refunded: 8,
          answer: 'thrown away',
        },
        {
          number: 'RT-2',
          store_return_id: 'R-2',
          state: 'requested',
          reason: 'too small',
          lines: [{ line: 2, quantity: 1, received: null, restocked: 0, written_off: 0, refunded_amount: 0 }],
          refunded: 0,
        },
      ],
    });
  });

  it('has a short form in lists', () => {
    expect(toOrderSummary(SUMMARY)).toEqual({
      ...HEAD,
      items_count: 3,
      tracking: null,
      created_at: '2026-05-04T01:00:00.000Z',
      status_changed_at: '2026-05-04T02:00:00.000Z',
      payment_due_at: '2026-05-04T03:00:00.000Z',
    });
  });

  it('has tracking only after shipment', () => {
    for (const [view, tracking] of [
      [SHIPPED, TRACKING],
      [{ ...SHIPPED, shippedAt: null }, null],
      [{ ...SHIPPED, courier: null }, null],
    ] as const) {
      expect(toOrderStatus({ ...RECORD, ...view }).tracking).toEqual(tracking);
      expect(toOrderSummary({ ...SUMMARY, ...view }).tracking).toEqual(tracking);
    }
  });

  it('has the reason of a return that was refused', () => {
    const [first] = RECORD.returns!;
    const view = (given: object) =>
      toOrderStatus({ ...RECORD, returns: [{ ...first!, ...given }] }).returns[0];
    expect(view({ state: 'refused', decision: 'worn' })).toHaveProperty('refusal_reason', 'worn');
    expect(view({ state: 'refused', decision: null })).not.toHaveProperty('refusal_reason');
    expect(view({ state: 'received', decision: 'worn' })).not.toHaveProperty('refusal_reason');
    expect(view({ state: 'refused', decision: 'worn' })).not.toHaveProperty('answer');
    expect(view({ state: 'received', decision: null })).not.toHaveProperty('answer');
  });

  it('tells which units of a return are for sale again', () => {
    const returnItems = [{ returnNumber: 'RT-1', line: 1, quantity: 5, received: 4, restocked: 3 }];
    expect(toOrderStatus({ ...RECORD, returnItems }).returns[0]!.lines).toMatchObject([
      { quantity: 5, received: 4, restocked: 3, written_off: 1 },
    ]);
  });

  it('counts all units of a cancelled order that did not leave as cancelled', () => {
    const items = [item(1, 'MUG', 'Mug', { quantity: 5, shipped: 1, cancelled: 2 })];
    const cancelled = (status: StoreOrder['status']) =>
      toOrderStatus({ ...RECORD, status, items }).items[0]!.cancelled;
    expect([cancelled('pending'), cancelled('cancelled')]).toEqual([2, 4]);
  });

  it('says how much of each refund is for the delivery', () => {
    const refund = (number: number, kind: RefundKind, amount: string, takesBack: number | null = null) => ({
      ...RECORD.refunds![0]!,
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
    const shares = refundsOf({ ...RECORD, refunds, refundItems }).map(({ delivery }) => delivery);
    expect(shares).toEqual([3_200, 0, 5_000, 0, -5_000]);
  });

  const RECIPIENT = {
    customerName: 'Asha',
    customerPhone: '+91 98765 43210',
    customerEmail: 'asha@example.com',
    shippingAddress: '1 MG Road',
    shippingCity: 'Bengaluru',
    shippingState: 'Karnataka',
    shippingPincode: '560001',
    shippingCountry: 'India',
    notes: 'call',
  };
  const SHIPPING = {
    address: '1 MG Road',
    city: 'Bengaluru',
    state: 'Karnataka',
    pincode: '560001',
    country: 'India',
  };

  it('is whole with its recipient, its refunds and their documents', () => {
    const document = (number: string, refund: number | null) => ({ number, refund }) as DocumentResponse;
    const documents = [
      document('INV-1', null),
      document('CN-1', 1),
      document('CN-2', 2),
      document('CN-3', 1),
    ];
    const whole = { ...RECORD, ...RECIPIENT, subtotal: '134.60', delivery: '5.00' };
    const details = toStoreOrderDetails(whole, documents);
    expect(details).toMatchObject({
      ...toOrderStatus(RECORD),
      subtotal: 134.6,
      delivery: 5,
      customer: { name: 'Asha', phone: '+91 98765 43210', email: 'asha@example.com' },
      shipping: SHIPPING,
      notes: 'call',
      documents,
    });
    expect(details.refunds[0]).toMatchObject({
      refund: 1,
      kind: 'returned',
      amount: 8,
      documents: ['CN-1', 'CN-3'],
    });
    expect(details.refunds.map(({ lines }) => lines)).toEqual(
      refundsOf(RECORD).map(({ lines }) =>
        lines.map(({ line, refunded, amount }) => ({ line, quantity: refunded, amount: amount / 100 })),
      ),
    );
    expect(details.refunds[0]!.lines.length).toBeGreaterThan(0);
  });

  it('tells its delivery without the e-mail address, with a warning about the PIN code', () => {
    const key = { orderNumber: 'WO-1', storeOrderId: 'S-1', status: 'pending' } as const;
    const delivery = {
      success: true,
      order_number: 'WO-1',
      store_order_id: 'S-1',
      status: 'pending',
      customer: { name: 'Asha', phone: '+91 98765 43210' },
      shipping: SHIPPING,
    };
    expect(toOrderDelivery({ ...key, ...RECIPIENT })).toEqual(delivery);
    expect(toOrderDelivery({ ...key, ...RECIPIENT, shippingPincode: '400001' })).toHaveProperty('warnings');
  });

  it('has a reason when it was cancelled', () => {
    expect(toOrderStatus({ ...RECORD, cancelReason: 'expired' })).toMatchObject({ cancel_reason: 'expired' });
    expect(toOrderSummary({ ...SUMMARY, cancelReason: 'expired' })).toMatchObject({
      cancel_reason: 'expired',
    });
    expect(toOrderStatus(RECORD)).not.toHaveProperty('cancel_reason');
    expect(toOrderSummary(SUMMARY)).not.toHaveProperty('cancel_reason');
  });
});

describe('An order on the command line', () => {
  const ORDER: Parameters<typeof toOrderOutput>[0] = {
    ...VIEW,
    clientId: 7,
    client: 'Shop',
    planCode: 'growth',
    subtotal: '100.00',
    delivery: '34.60',
    notes: 'call',
    customerName: 'Ravi',
    customerPhone: '98',
    customerEmail: null,
    shippingAddress: '12, MG Road',
    shippingCity: 'Bengaluru',
    shippingState: 'Karnataka',
    shippingPincode: '560038',
    shippingCountry: 'India',
    paymentMethod: 'upi',
    paymentReference: '42',
    paidAt: null,
    deliveredAt: null,
    cancelledAt: null,
    itemsCount: 2,
    origin: 'api',
    packingList: null,
    openPayment: null,
    isSlipOld: false,
    prepared: null,
    awaitsIrn: false,
    isRegistered: true,
    isSuspended: false,
    items: [
      item(1, 'MUG', 'Mug', { remark: 'wrap', quantity: 2, unitPrice: '50.00', lineTotal: '100.00' }),
      item(2, 'TEE', 'Tee', { variationKey: 'Size:M' }),
    ],
    timeline: [{ status: 'pending', changedAt: at(2).getTime(), actor: 'test', note: null }],
    corrections: null,
    parcels: null,
    parcelItems: null,
    returns: null,
    returnItems: null,
    refunds: null,
    refundItems: null,
  };

  const CORRECTION = {
    changedAt: at(4).getTime(),
    actor: 'test',
    reason: null,
    before: { notes: 'call' },
    after: { notes: 'ring' },
  };

  it('shows all fields', () => {
    expect(toOrderOutput(ORDER)).toEqual({
      order_number: 'WO-1',
      client_id: 7,
      client: 'Shop',
      store_order_id: null,
      status: 'pending',
      payment_status: 'paid',
      plan: 'growth',
      currency: 'INR',
      subtotal: 100,
      delivery: 34.6,
      total: 134.6,
      refunded_amount: 10,
      origin: 'api',
      placed_at: at(1),
      notes: 'call',
      customer: { name: 'Ravi', phone: '98', email: null },
      shipping: {
        address: '12, MG Road',
        city: 'Bengaluru',
        state: 'Karnataka',
        pincode: '560038',
        country: 'India',
      },
      payment: { method: 'upi', reference: '42', due_at: at(3).toISOString(), paid_at: null },
      tracking: null,
      delivered_at: null,
      cancelled_at: null,
      cancel_reason: null,
      packing_list: null,
      items: [
        {
          line: 1,
          sku: 'MUG',
          name: 'Mug',
          variation: 'wrap',
          quantity: 2,
          unit_price: 50,
          line_total: 100,
          ...NO_MOVES,
        },
        {
          line: 2,
          sku: 'TEE',
          name: 'Tee',
          variation: 'Size:M',
          quantity: 1,
          unit_price: 1,
          line_total: 1,
          ...NO_MOVES,
        },
      ],
      parcels: [],
      prepared: null,
      returns: [],
      refunds: [],
      timeline: [{ status: 'pending', changed_at: at(2).toISOString(), actor: 'test', note: null }],
      changes: [],
    });
  });

  it('shows parcels, returns and refunds with their lines', () => {
    const { parcels, parcelItems, returns, returnItems, refunds, refundItems } = RECORD;
    const view = toOrderOutput({
      ...ORDER,
      parcels,
      parcelItems,
      returns,
      returnItems,
      refunds,
      refundItems,
      prepared: { parcel: 3, lines: '1=2 2=1', preparedAt: at(4).getTime(), actor: 'test' },
      awaitsIrn: true,
    });
    expect(view.prepared).toEqual({
      parcel: 3,
      lines: [
        { line: 1, quantity: 2 },
        { line: 2, quantity: 1 },
      ],
      invoiced_at: '2026-05-04T04:00:00.000Z',
      by: 'test',
      awaits_irn: true,
    });
    expect(view.parcels).toEqual([
      {
        parcel: 1,
        ...TRACKING,
        delivered_at: null,
        exception: 'lost',
        no_invoice: 'sample',
        without_irn: 'portal is down',
        lines: [{ line: 1, quantity: 2 }],
      },
      {
        parcel: 2,
        courier: 'DTDC',
        tracking_number: null,
        tracking_url: null,
        shipped_at: '2026-05-04T03:00:00.000Z',
        delivered_at: '2026-05-04T04:00:00.000Z',
        no_invoice: null,
        without_irn: null,
        lines: [{ line: 2, quantity: 1 }],
      },
    ]);
    expect(view.returns).toEqual([
      {
        number: 'RT-1',
        store_return_id: null,
        state: 'received',
        reason: 'damaged',
        note: null,
        requested_at: '2026-05-04T05:00:00.000Z',
        by: 'test',
        accepted_at: '2026-05-04T05:00:00.000Z',
        send_to: 'Acme\nPune 411001',
        send_by: '2026-05-20',
        decided_at: '2026-05-04T06:00:00.000Z',
        decision: 'thrown away',
        refunded: 8,
        lines: [{ line: 1, quantity: 1, received: 1, restocked: 0, refunded: 8 }],
      },
      {
        number: 'RT-2',
        store_return_id: 'R-2',
        state: 'requested',
        reason: 'too small',
        note: 'unopened',
        requested_at: '2026-05-04T07:00:00.000Z',
        by: 'test',
        accepted_at: null,
        send_to: null,
        send_by: null,
        decided_at: null,
        decision: null,
        refunded: 0,
        lines: [{ line: 2, quantity: 1, received: null, restocked: 0, refunded: 0 }],
      },
    ]);
    expect(view.refunds).toEqual([
      {
        refund: 1,
        kind: 'returned',
        amount: 8,
        reason: 'damaged',
        return_number: 'RT-1',
        takes_back: null,
        refunded_at: '2026-05-04T06:00:00.000Z',
        by: 'test',
        lines: [{ line: 1, refunded: 1, cancelled: 0, written_off: 0, amount: 8 }],
      },
      {
        refund: 2,
        kind: 'amount',
        amount: 2,
        reason: 'late',
        return_number: null,
        takes_back: null,
        refunded_at: '2026-05-04T08:00:00.000Z',
        by: 'test',
        lines: [],
      },
    ]);
  });

  it('shows payment, shipment and corrections', () => {
    const shipped = {
      ...ORDER,
      paidAt: at(2),
      shippedAt: at(3),
      courier: 'Post',
      trackingNumber: '1',
      trackingUrl: null,
      corrections: [CORRECTION],
    };
    expect(toOrderOutput(shipped)).toMatchObject({
      payment: { paid_at: at(2).toISOString() },
      tracking: {
        courier: 'Post',
        tracking_number: '1',
        tracking_url: null,
        shipped_at: at(3).toISOString(),
      },
      changes: [
        {
          changed_at: at(4).toISOString(),
          actor: 'test',
          before: { notes: 'call' },
          after: { notes: 'ring' },
        },
      ],
    });
  });
});
