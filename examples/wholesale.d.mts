/** The types of wholesale.mjs. The service may add fields and values at any time. */
export interface Order {
  /** Your own id of the order. With it, a repeat never places a second order. */
  store_order_id: string;
  customer: { name: string; phone: string; email?: string };
  shipping: {
    address: string;
    city: string;
    state: string;
    pincode: string;
    country?: string;
  };
  items: { sku: string; quantity: number; variation?: string; metadata?: Metadata }[];
  notes?: string;
  metadata?: Metadata;
  /** The total of the quote. If the price has changed since, the order is refused. */
  expected_total?: number;
}

/** Texts of your own. They come back with the order, and nobody interprets them. */
export type Metadata = Record<string, string>;

export interface StockRecord {
  sku: string;
  stock_qty: number;
  in_stock: boolean;
  has_variations: boolean;
  variation_stocks: Record<string, number>;
}

export interface Product {
  sku: string;
  name: string;
  description: string;
  category: string;
  images: string[];
  stock_qty: number;
  pricing: { wholesale_price: number; currency: string };
  has_variations?: boolean;
  variations?: { name: string; values: string[] }[];
  variation_stocks?: Record<string, number>;
  delivery_charge?: number;
  hsn?: string;
  gst_rate?: number;
  unit?: string;
  barcode?: string;
  weight_grams?: number;
  mrp?: number;
  country_of_origin?: string;
  manufacturer?: string;
  net_quantity?: string;
  details_url?: string;
}

/** The changes since the last call. */
export interface Changed<Item> {
  products: Item[];
  /** The SKUs that are no longer sold. */
  removed: string[];
  /** These are all products: delete all others. */
  complete: boolean;
  /** For the next call. */
  since: string;
}

export interface Quote {
  orderable: boolean;
  subtotal: number;
  delivery: number;
  total: number;
  currency: string;
  errors: Fault[];
  warnings?: Warning[];
  /** The delivery charge of each product, once per product. */
  delivery_breakdown: { sku: string; charge: number }[];
  items: QuoteItem[];
}

export interface QuoteItem extends OrderItem {
  stock: { requested: number; available: number; sufficient: boolean };
}

/** What is probably wrong, but no reason to refuse an order. */
export interface Warning {
  field: string;
  code: string;
  message: string;
}

/** An order that was placed now, or by an earlier attempt. It is not cancelled. */
export interface Placed {
  order_number: string;
  status: string;
  total: number;
  items: OrderItem[];
  payment_due_at?: string;
  warnings?: Warning[];
  metadata?: Metadata;
}

/** A line as it was understood. */
export interface OrderItem {
  sku: string;
  name: string;
  /** The stock key; for a product without variations the text that was sent. */
  variation: string | null;
  quantity: number;
  unit_price: number;
  line_total: number;
}

export interface Tracking {
  courier: string;
  tracking_number: string | null;
  tracking_url: string | null;
  shipped_at: string;
}

/** What the status and the changes of an order have in common. */
export interface OrderState {
  order_number: string;
  store_order_id: string | null;
  status: string;
  payment_status: string;
  total_amount: number;
  refunded_amount: number;
  currency: string;
  tracking: Tracking | null;
  created_at: string;
  payment_due_at: string;
  cancel_reason?: string;
  metadata?: Metadata;
}

export interface OrderStatus extends OrderState {
  items: OrderedItem[];
  timeline: { status: string; changed_at: string }[];
  shipments: (Tracking & { parcel: number; delivered_at: string | null; lines: LineQuantity[] })[];
  returns: Return[];
}

export interface OrderedItem extends OrderItem {
  line: number;
  metadata?: Metadata;
  /** The units of the quantity by what happened to them. */
  shipped: number;
  cancelled: number;
  refunded: number;
  returned: number;
}

/** The whole order. */
export interface OrderDetails extends OrderStatus {
  subtotal: number;
  delivery: number;
  customer: { name: string; phone: string; email: string | null };
  shipping: { address: string; city: string; state: string; pincode: string; country: string };
  notes: string | null;
  refunds: Refund[];
  documents: TaxDocument[];
}

export interface Refund {
  /** Its number in the order. */
  refund: number;
  /** `cancelled`, `lines`, `delivery`, `amount`, `returned` or `taken_back`. */
  kind: string;
  /** Negative for `taken_back`. */
  amount: number;
  /** The part of the amount for the delivery. */
  delivery: number;
  reason: string;
  lines: LineAmount[];
  return_number: string | null;
  /** The refund that it takes back. */
  takes_back: number | null;
  refunded_at: string;
  /** The numbers of its notes. */
  documents: string[];
}

export interface Return {
  number: string;
  /** Your own id, if you asked by the API. */
  store_return_id?: string;
  /** `requested`, `received`, `partly_received` or `refused`. */
  state: string;
  reason: string;
  lines: ReturnedLine[];
  refunded: number;
  /** If it was refused. */
  accepted_at?: string;
  send_to?: string;
  send_by?: string;
  refusal_reason?: string;
  /** The note of the wholesaler who received it. */
  answer?: string;
}

/** The units that were asked to come back, and what became of them. */
export interface ReturnedLine extends LineQuantity {
  /** Null while the return is `requested`. */
  received: number | null;
  restocked: number;
  written_off: number;
  refunded_amount: number;
}

export interface LineQuantity {
  line: number;
  quantity: number;
}

/** Line 0 is the delivery. */
export interface LineAmount extends LineQuantity {
  amount: number;
}

/** An invoice, a note or a receipt. */
export interface TaxDocument {
  number: string;
  kind: string;
  date: string;
  amount: number;
  /** Null for a receipt. */
  order_number: string | null;
  store_order_id: string | null;
  /** The parcel of an invoice, as in `shipments`. */
  parcel: number | null;
  /** The invoice that a note changes. */
  against: string | null;
  /** The refund that a note follows, as in `refunds` of the order. */
  refund: number | null;
  lines: LineAmount[];
  /** Of the goods of an invoice; it may come later. */
  e_way_bill?: { number: string; valid_until: string | null };
  /** The path of its PDF. */
  url: string;
}

export interface Fault {
  field: string;
  code: string;
  message: string;
}

export class WholesaleError extends Error {
  /** Of HTTP; 0 without an answer. */
  status: number;
  code: string;
  /** The faults of the fields. */
  errors: Fault[];
  body: { code: string; message: string; request_id?: string; [fact: string]: unknown };
}

export class Wholesale {
  constructor(
    baseUrl: string,
    token: string,
    domain: string,
    options?: {
      /** The time limit of a request, in seconds. */
      timeout?: number;
      attempts?: number;
      sleep?: (seconds: number) => Promise<void>;
      /** They go with every request, such as `X-Test-Failure`. */
      headers?: Record<string, string>;
    },
  );
  catalog(since?: string): Promise<Changed<Product>>;
  stock(since?: string): Promise<Changed<StockRecord>>;
  quote(order: Pick<Order, 'items'> & Partial<Order>): Promise<Quote>;
  place(order: Order): Promise<Placed>;
  status(number: string): Promise<OrderStatus>;
  order(number: string): Promise<OrderDetails>;
  changes(
    since?: string,
    open?: string[],
  ): Promise<{ orders: OrderState[]; unknown: string[]; since: string }>;
  documents(number: string): Promise<TaxDocument[]>;
  documentsByDay(first: string, last?: string): Promise<TaxDocument[]>;
  send(method: string, path: string, content?: object): Promise<unknown>;
}
