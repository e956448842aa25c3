/**
 * What a courier reports instead of a delivery. `returning`: RTO, return to origin, on the way back to the
 * wholesaler. `returned`: it came back, and its goods are in a return. The others need a person.
 */
export const PARCEL_EXCEPTIONS = ['returning', 'returned', 'lost'] as const;
export type ParcelException = (typeof PARCEL_EXCEPTIONS)[number];

/**
 * What became of the goods that left, if no parcel is on its way to the customer. The database keeps it with
 * the order. Losses come first, then RTO.
 */
export type GoodsState = 'delivered' | `${ParcelException}${'' | '_in_part'}`;

export const GOODS_STATES: readonly GoodsState[] = [
  'delivered',
  ...PARCEL_EXCEPTIONS.flatMap((exception) => [exception, `${exception}_in_part`] as const),
];

const GOODS_WORDS: ReadonlyMap<GoodsState | null, string> = new Map<GoodsState, string>([
  ['delivered', 'was delivered'],
  ['returned', 'came back'],
  ['returned_in_part', 'came back in part'],
  ['returning', 'is on its way back'],
  ['returning_in_part', 'is on its way back in part'],
  ['lost', 'is lost'],
  ['lost_in_part', 'is lost in part'],
]);

/** Undefined while a parcel is on its way to the customer. */
export const describeGoods = (state: GoodsState | null) => GOODS_WORDS.get(state);
