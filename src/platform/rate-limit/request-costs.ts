/**
 * What a request costs in units of its client's limit, beyond the one that each costs. A unit stands for about 0.2 ms of a processor:
 * at 12,000 a minute no client keeps more than some hundredths of one busy for long, whatever it asks for. A stock check takes less,
 * and is one unit. What is kept ready is charged only for being sent.
 */
export const COSTS = {
  /** Of those named in `GET /api/orders/status`, whether they are found or not. */
  orderNamed: 1,
  /** Of those named in `GET /api/stock`. */
  skuNamed: 1 / 20,
  /** Of an order or a quote. */
  line: 1 / 4,
  /** Beyond that, for what may have been meant has to be looked for. */
  lineOfUnknownSku: 1 / 2,
  /** Of an order, whatever becomes of it. What is written is charged by the disk it takes: at most 0.3 KB a unit. */
  orderWritten: 4,
  /** Of an order's lines. */
  lineWritten: 3 / 4,
  /** Of an order's body, beyond the first few. */
  byteWritten: 1 / 256,
  /** To find those that a filter, a page or `since` asks for. */
  productLookedAt: 1 / 1_000,
  /** Of an answer that had to be made, before it is compressed. */
  byteMade: 1 / 16_384,
  /** Of an answer that leaves, beyond the first few: what nearly every answer has costs nothing more. */
  byteSent: 1 / 65_536,
} as const;

/** So many bytes are sent for nothing. */
export const BYTES_SENT_FREE = 16_384;

/** So many bytes of an order go with it. */
export const BYTES_WRITTEN_FREE = 1_024;
