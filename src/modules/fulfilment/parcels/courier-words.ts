/**
 * The meaning of a courier's status. `onTheWay` is skipped. `returning` is RTO, return to origin: no
 * delivery, and not yet a return. `returned` is RTO that has arrived.
 */
export type CourierMeaning = 'delivered' | 'onTheWay' | 'returning' | 'returned' | 'lost';

/**
 * The statuses of Delhivery, Shiprocket, Blue Dart, DTDC, Ecom Express, Xpressbees and others, in lower case
 * without punctuation. Short codes are missing: "DL" of Delhivery stands for a delivery and for an RTO.
 */
const WORDS: Readonly<Record<CourierMeaning, readonly string[]>> = {
  delivered: [
    'delivered',
    'delivered successfully',
    'delivered to consignee',
    'delivered to customer',
    'delivery completed',
    'shipment delivered',
    'successfully delivered',
  ],
  onTheWay: [
    'address issue',
    'arrived at destination',
    'arrived at hub',
    'at destination hub',
    'awb assigned',
    'bagged',
    'booked',
    'consignee unavailable',
    'customer not available',
    'delayed',
    'delivery attempted',
    'delivery delayed',
    'delivery failed',
    'dispatched',
    'failed delivery',
    'handed over to courier',
    'held',
    'held up',
    'in transit',
    'in transit en route',
    'intransit',
    'label generated',
    'manifest generated',
    'manifested',
    'misrouted',
    'ndr',
    'ndr pending',
    'not delivered',
    'not picked',
    'ofd',
    'on hold',
    'on the way',
    'out for delivery',
    'out for pickup',
    'pending',
    'picked',
    'picked up',
    'pickup done',
    'pickup error',
    'pickup exception',
    'pickup generated',
    'pickup pending',
    'pickup queued',
    'pickup rescheduled',
    'pickup scheduled',
    'reached at destination',
    'reached at destination hub',
    'reached destination hub',
    'ready to ship',
    'shipment booked',
    'shipment in transit',
    'shipment picked up',
    'shipped',
    'undelivered',
    'undelivered 1st attempt',
    'undelivered 2nd attempt',
    'undelivered 3rd attempt',
  ],
  returning: [
    'return to origin',
    'return to origin in transit',
    'return to origin initiated',
    'rto',
    'rto dispatched',
    'rto in transit',
    'rto initiated',
    'rto intransit',
    'rto manifested',
    'rto ndr',
    'rto ofd',
    'rto out for delivery',
    'rto pending',
    'rto processing',
    'rto undelivered',
  ],
  returned: [
    'delivered to origin',
    'delivered to shipper',
    'return to origin delivered',
    'returned to origin delivered',
    'rto completed',
    'rto delivered',
    'rto delivered to origin',
    'rto received',
    'rto returned',
  ],
  lost: [
    'destroyed',
    'disposed off',
    'lost',
    'lost in transit',
    'lost shipment',
    'parcel lost',
    'rto lost',
    'shipment lost',
  ],
};

const MEANINGS = new Map(
  Object.entries(WORDS).flatMap(([meaning, words]) =>
    words.map((word) => [word, meaning as CourierMeaning] as const),
  ),
);

/** Undefined for a status that is not in the table. It must not be guessed. */
export function courierMeaning(status: string): CourierMeaning | undefined {
  return MEANINGS.get(
    status
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim(),
  );
}
