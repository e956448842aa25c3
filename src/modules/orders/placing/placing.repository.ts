import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { noSubscription, subscriptionInactive, suspended, tokenUnknown } from '../../clients/refusals.js';
import type { OtherActor } from '../../audit/audit-log.js';
import type { Product } from '../../catalog/product.entity.js';
import type { Plan, PlanPrice } from '../../plans/plan.entity.js';
import { columnOf } from '../../../platform/database/columns-of.js';
import { Database, type Queries } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { minorFromNumeric, numericFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { OrderingClient } from '../../../read-model/callers/caller.js';
import { basisPointsFromPercent, planPrice } from '../../../read-model/products/plan-price.js';
import { changeStock, type StockChange, stockChangeValues } from '../../stock/stock-holdings.repository.js';
import type { Wallet } from '../../wallet/wallet.entity.js';
import type { AutoPaySetting } from '../auto-pay/auto-pay.entity.js';
import { Order, type OrderOrigin } from '../entities/order.entity.js';
import type { ExistingOrder } from '../order-errors.js';
import { type Offer, type OrderedItem, type OrderLine, skusOf } from '../rules/order-lines.js';
import type { OrderTotals } from '../rules/order-totals.js';
import { ORDER_FIELD_NAMES, readOrderFields } from '../rules/order-fields.js';
import type { UnpaidTotals } from '../rules/unpaid-limits.js';
import type { CreateOrderRequest } from './create-order.request.js';

// SQL, because every order runs these statements, and each serves all orders of a batch.

/** A store's own id for an order, or the key of its request. It names one order for ever. */
export interface Claim {
  clientId: number;
  storeOrderId: string;
  /** Of the store. Undefined for a person, whose keys are unique. */
  domain?: string | undefined;
}

/** No `store_order_id` has a line break, so no key is one. */
const IDEMPOTENCY_PREFIX = 'Idempotency-Key\n';

export type ClaimedOrder = ExistingOrder &
  Pick<Order, 'subtotal' | 'delivery' | 'itemsCount' | 'paymentDueAt' | 'metadata'>;

/** An order with a wanted id. It may be of another domain of the client. */
type OrderOfClaim = Pick<Claim, 'clientId' | 'storeOrderId'> & Pick<Order, 'domain'> & ClaimedOrder;

/**
 * The orders that were the first with the wanted ids, and those of the same domains. Each is looked up by its
 * full key: a join that was planned while `orders` was empty would start at all orders of the client. Items
 * are bounded by the lines of an order.
 */
const FIND_CLAIMS = {
  name: 'claims-find',
  text: `
    SELECT wanted.client_id AS "clientId", wanted.store_order_id AS "storeOrderId", o.domain,
           o.order_number AS "orderNumber", o.status, o.total, o.content_hash AS "contentHash",
           o.subtotal, o.delivery, o.items_count AS "itemsCount", o.payment_due_at AS "paymentDueAt",
           o.cancel_reason AS "cancelReason", o.metadata,
           (SELECT coalesce(json_agg(json_build_object(
                     'sku', i.sku, 'name', i.name,
                     'variation', coalesce(nullif(i.variation_key, ''), i.remark),
                     'quantity', i.quantity, 'unit_price', i.unit_price::float8,
                     'line_total', i.line_total::float8) ORDER BY i.line), '[]')
              FROM order_items i
             WHERE i.client_id = wanted.client_id AND i.order_number = claim.order_number) AS items
      FROM unnest($1::int[], $2::text[], $3::text[]) AS wanted (client_id, store_order_id, domain)
      CROSS JOIN LATERAL (
        (SELECT order_number FROM store_order_ids AS s
          WHERE s.client_id = wanted.client_id AND s.store_order_id = wanted.store_order_id LIMIT 1)
        UNION ALL
        (SELECT order_number FROM domain_order_ids AS s
          WHERE s.client_id = wanted.client_id AND s.store_order_id = wanted.store_order_id
            AND s.domain = wanted.domain LIMIT 1)) AS claim
      CROSS JOIN LATERAL (
        SELECT * FROM orders
         WHERE client_id = wanted.client_id AND orders.order_number = claim.order_number LIMIT 1) AS o`,
};

interface OfferKey {
  planId: number;
  sku: string;
}

/** Reads all prices at one moment. */
const FIND_OFFERS = {
  name: 'offers-find',
  text: `
    SELECT plan.id AS "planId", p.id, p.sku, p.name, p.base_price AS "basePrice",
           p.delivery_charge AS "deliveryCharge", p.variations, plan.discount, fixed.price AS "fixedPrice"
      FROM unnest($1::int[], $2::text[]) AS wanted (plan_id, sku)
      JOIN products p ON p.sku = wanted.sku AND p.active
      JOIN plans plan ON plan.id = wanted.plan_id
      LEFT JOIN LATERAL (SELECT price FROM plan_prices
                          WHERE plan_id = plan.id AND product_id = p.id LIMIT 1) AS fixed ON true`,
};

type OfferRow = Pick<Product, 'id' | 'sku' | 'name' | 'basePrice' | 'deliveryCharge' | 'variations'> &
  Pick<Plan, 'discount'> & { planId: number; fixedPrice: PlanPrice['price'] | null };

class Offers {
  private readonly byPlan = new Map<number, Map<string, Offer>>();

  add(planId: number, offer: Offer): void {
    const offers = this.byPlan.get(planId);
    if (offers) offers.set(offer.sku, offer);
    else this.byPlan.set(planId, new Map([[offer.sku, offer]]));
  }

  of(planId: number): ReadonlyMap<string, Offer> {
    return this.byPlan.get(planId) ?? new Map<string, Offer>();
  }
}

/** The clock of the database: one time counts for the rights and for the orders that they allow. */
const FIND_RIGHTS = {
  name: 'order-rights',
  text: `
    WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now)
    SELECT wanted.client_id AS "clientId", wanted.token_id AS "tokenId", moment.now::text AS now,
           EXISTS (SELECT FROM clients WHERE id = wanted.client_id AND suspended_at IS NULL)
             AND (wanted.token_id IS NULL OR EXISTS (
                  SELECT FROM tokens token
                   WHERE token.id = wanted.token_id AND token.revoked_at IS NULL
                     AND (token.ends_at IS NULL OR token.ends_at > moment.now))) AS "isAdmitted",
           (SELECT plan_id FROM subscriptions s
             WHERE s.client_id = wanted.client_id
               AND s.starts_at <= moment.now AND s.ends_at > moment.now) AS "planId"
      FROM unnest($1::int[], $2::int[]) AS wanted (client_id, token_id), moment`,
};

/** The rights of the ordering client, as the database has them. */
interface CallerRights {
  isAdmitted: boolean;
  /** The plan of the active subscription. */
  planId: number | null;
}

export interface CurrentRights {
  /** With microseconds, as the database writes it. */
  now: string;
  of(orderingClient: OrderingClient): CallerRights;
}

type RightsRow = CallerRights & { clientId: number; tokenId: number | null; now: string };

/** Orders that wait for payment, and the limits of the clients. A function locks the rows. */
const unpaidTotals = (source: string) => `
  SELECT s.client_id AS "clientId", s.unpaid_orders AS orders, s.unpaid_value AS value,
         coalesce(c.unpaid_orders_limit, $2) AS "ordersLimit",
         coalesce(c.unpaid_value_limit, $3) AS "valueLimit"
    FROM ${source} AS s JOIN clients c ON c.id = s.client_id`;

const FIND_UNPAID = {
  name: 'unpaid-totals-find',
  text: `${unpaidTotals('unpaid_totals')} WHERE s.client_id = ANY ($1)`,
};

/** Stores poll it. */
const FIND_ACCOUNT = {
  name: 'account-find',
  text: `
    SELECT unpaid.*, w.balance, w.reserved, a.enabled_at AS "enabledAt", a.order_cap AS "orderCap",
           a.day_cap AS "dayCap"
      FROM (${unpaidTotals('unpaid_totals')} WHERE s.client_id = $1) AS unpaid
      JOIN wallets w ON w.client_id = unpaid."clientId"
      LEFT JOIN auto_pay a ON a.client_id = unpaid."clientId"`,
};

/** The wallet, auto-pay and unpaid orders of a client. Without a row, auto-pay is off. */
export type Account = Pick<Wallet, 'balance' | 'reserved'> &
  Pick<AutoPaySetting, 'enabledAt' | 'orderCap' | 'dayCap'>;

const LOCK_UNPAID = { name: 'unpaid-totals-lock', text: unpaidTotals('lock_unpaid_totals($1)') };

interface UnpaidRow {
  clientId: number;
  orders: number;
  value: string;
  ordersLimit: number;
  valueLimit: string;
}

/** The person who enters an order. */
export interface OrderEntry {
  origin: OrderOrigin;
  author: OtherActor<number>;
}

export interface NewOrder {
  clientId: number;
  orderNumber: string;
  planCode: string;
  request: CreateOrderRequest;
  domain: string | undefined;
  claim: Claim | undefined;
  /** Another domain of the client had its id first. */
  isIdShared: boolean;
  contentHash: Buffer;
  entry: OrderEntry | undefined;
  lines: readonly OrderLine[];
  totals: OrderTotals;
}

type ColumnValues<Columns extends readonly string[]> = Record<Columns[number], unknown>;

/** Columns with a value for each order. The others are empty, or the same for the whole batch. */
const ORDER_COLUMNS: readonly string[] = [
  'client_id',
  'order_number',
  'store_order_id',
  'domain',
  'plan_code',
  'subtotal',
  'delivery',
  'total',
  'items_count',
  ...ORDER_FIELD_NAMES.map((name) => columnOf(Order, name)),
  'metadata',
  'content_hash',
  'origin',
];

const LINE_COLUMNS = [
  'client_id',
  'order_number',
  'line',
  'product_id',
  'sku',
  'name',
  'variation_key',
  'remark',
  'metadata',
  'quantity',
  'unit_price',
  'line_total',
] as const;

/** Any number of orders, holds, claims, lines and entries. JSON costs less than an array for each column. */
const INSERT = {
  name: 'order-insert',
  text: `
    WITH given AS (
      SELECT ${ORDER_COLUMNS.join(', ')} FROM json_populate_recordset(NULL::orders, $1)
    ), claims AS (
      INSERT INTO store_order_ids (client_id, store_order_id, order_number)
      SELECT * FROM unnest($6::int[], $7::text[], $8::text[])
    ), shared AS (
      INSERT INTO domain_order_ids SELECT * FROM json_populate_recordset(NULL::domain_order_ids, $9)
    ), held AS (${changeStock(10)}
    ), placed AS (
      INSERT INTO orders (
        ${ORDER_COLUMNS.join(', ')}, status, payment_status, currency, placed_at, payment_due_at)
      SELECT given.*, 'awaiting_payment', 'unpaid', $4,
             $3::timestamptz, $3::timestamptz + make_interval(hours => $5)
        FROM given
    ), lines AS (
      INSERT INTO order_items (${LINE_COLUMNS.join(', ')})
      SELECT ${LINE_COLUMNS.join(', ')} FROM json_populate_recordset(NULL::order_items, $2)
    ), entered AS (
      SELECT * FROM json_to_recordset($1) AS rows (
        client_id int, order_number text, total text, actor text, person_id int, address text)
    ), timeline AS (
      INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
      SELECT client_id, order_number, 1, 'awaiting_payment', $3::timestamptz, actor FROM entered
    ), audited AS (
      INSERT INTO audit_log (client_id, person_id, actor, address, action, subject, details)
      SELECT client_id, person_id, actor, address, 'order.placed', 'order ' || order_number,
             jsonb_build_object('total', total)
        FROM entered WHERE person_id IS NOT NULL
    )
    SELECT $3::timestamptz + make_interval(hours => $5) AS "paymentDueAt"`,
};

/** Reads, locks and writes rows for placing orders, a whole batch at once. */
@Injectable()
export class PlacingRepository {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The taken ids. */
  async findClaims(transaction: Queries, claims: Claim[]): Promise<TakenIds> {
    if (claims.length === 0) return new TakenIds([]);
    const columns = [
      claims.map(({ clientId }) => clientId),
      claims.map(({ storeOrderId }) => storeOrderId),
      claims.map(({ domain }) => domain ?? null),
    ];
    return new TakenIds(await transaction.query<OrderOfClaim>(FIND_CLAIMS, columns));
  }

  async offers(transaction: Queries, requested: readonly OfferKey[]): Promise<Offers> {
    const keys = [...new Map(requested.map((one) => [`${one.planId}/${one.sku}`, one])).values()];
    const columns = [keys.map(({ planId }) => planId), keys.map(({ sku }) => sku)];
    const offers = new Offers();
    for (const row of await transaction.query<OfferRow>(FIND_OFFERS, columns))
      offers.add(row.planId, toOffer(row));
    return offers;
  }

  async rights(transaction: Queries, orderingClients: readonly OrderingClient[]): Promise<CurrentRights> {
    const keyOf = ({ client, token }: OrderingClient) => `${client.id}/${token?.id ?? ''}`;
    const distinct = [
      ...new Map(orderingClients.map((orderingClient) => [keyOf(orderingClient), orderingClient])).values(),
    ];
    const columns = [distinct.map(({ client }) => client.id), distinct.map(({ token }) => token?.id ?? null)];
    const rows = await transaction.query<RightsRow>(FIND_RIGHTS, columns);
    const byKey = new Map(rows.map((row) => [`${row.clientId}/${row.tokenId ?? ''}`, row]));
    return { now: rows[0]!.now, of: (orderingClient) => byKey.get(keyOf(orderingClient))! };
  }

  /** The unpaid totals of a client, read without a lock. */
  async unpaidTotals(clientId: number, database: Queries): Promise<UnpaidTotals> {
    const rows = await database.query<UnpaidRow>(FIND_UNPAID, this.withLimits([clientId]));
    return toUnpaidTotals(rows[0]!);
  }

  async account(clientId: number): Promise<Account & UnpaidTotals> {
    const { unpaidOrdersLimit, unpaidValueLimit } = this.settings;
    const values = [clientId, unpaidOrdersLimit, unpaidValueLimit];
    const [row] = await this.database.query<Account & UnpaidRow>(FIND_ACCOUNT, values);
    return { ...row!, ...toUnpaidTotals(row!) };
  }

  /**
   * Until the end of the transaction no other order of the client comes or goes. This is the last lock of
   * every transaction: writes to orders take it through the triggers that count, when all other locks are
   * held.
   */
  async lockUnpaidTotals(transaction: Queries, clientIds: number[]): Promise<Map<number, UnpaidTotals>> {
    const rows = await transaction.query<UnpaidRow>(LOCK_UNPAID, this.withLimits(clientIds));
    return new Map(rows.map((row) => [row.clientId, toUnpaidTotals(row)]));
  }

  /** Writes orders and their holds in one statement, with one due date. The stock rows must be locked. */
  async insert(
    transaction: Queries,
    orders: readonly NewOrder[],
    holds: readonly StockChange[],
    placedAt: string,
  ): Promise<{ paymentDueAt: Date }> {
    const { currency, paymentWindowHours } = this.settings;
    const claimed = orders.filter(({ claim }) => claim !== undefined);
    const first = claimed.filter(({ isIdShared }) => !isIdShared);
    const shared = claimed.filter(({ isIdShared }) => isIdShared);
    const rows = await transaction.query<{ paymentDueAt: Date }>(INSERT, [
      JSON.stringify(orders.map(orderRow)),
      JSON.stringify(orders.flatMap(lineRows)),
      placedAt,
      currency,
      paymentWindowHours,
      first.map(({ clientId }) => clientId),
      first.map(({ claim }) => claim!.storeOrderId),
      first.map(({ orderNumber }) => orderNumber),
      JSON.stringify(shared.map(sharedIdRow)),
      ...stockChangeValues(holds),
    ]);
    return rows[0]!;
  }

  private withLimits(clientIds: number[]): unknown[] {
    return [clientIds, this.settings.unpaidOrdersLimit, this.settings.unpaidValueLimit];
  }
}

/** Ids that orders of the clients have, also of other domains. */
export class TakenIds {
  private readonly orders = new Map<string, OrderOfClaim[]>();

  constructor(found: readonly OrderOfClaim[]) {
    for (const order of found)
      this.orders.set(idKey(order), [...(this.orders.get(idKey(order)) ?? []), order]);
  }

  /** The order that a request with this claim repeats. An order without a domain is of all domains. */
  orderOf(claim: Claim): ClaimedOrder | undefined {
    return this.orders
      .get(idKey(claim))
      ?.find(({ domain }) => domain === null || claim.domain === undefined || domain === claim.domain);
  }

  /** Returns whether a claim was before this one. */
  add(claim: Claim): boolean {
    const isTaken = this.orders.has(idKey(claim));
    if (!isTaken) this.orders.set(idKey(claim), []);
    return isTaken;
  }
}

/** Empty if the request has neither id nor key. */
export function claimOf(
  { client, token }: Pick<OrderingClient, 'client' | 'token'>,
  { store_order_id: storeOrderId }: { store_order_id?: string },
  idempotencyKey?: string,
): Claim[] {
  const of = { clientId: client.id, domain: token?.domain };
  if (storeOrderId !== undefined) return [{ ...of, storeOrderId }];
  return idempotencyKey === undefined ? [] : [{ ...of, storeOrderId: IDEMPOTENCY_PREFIX + idempotencyKey }];
}

function idKey({ clientId, storeOrderId }: Pick<Claim, 'clientId' | 'storeOrderId'>): string {
  return `${clientId}/${storeOrderId}`;
}

/**
 * Only an advisory lock can lock a row that does not exist yet. A second order with the same id waits for the
 * outcome of the first, also one of another domain: 1.0.0 has the same locks. They are taken in the order of
 * their numbers, against deadlocks.
 */
export function claimLocks(claims: readonly Claim[]): bigint[] {
  return [...new Set(claims.map(lockNumberOf))].toSorted((a, b) => (a < b ? -1 : 1));
}

/** Two ids with the same number only wait for each other. */
function lockNumberOf(claim: Claim): bigint {
  return createHash('sha256').update(idKey(claim)).digest().readBigInt64BE();
}

/** One key for each SKU. */
export function offerKeysOf(planId: number, items: readonly OrderedItem[]): OfferKey[] {
  return skusOf(items).map((sku) => ({ planId, sku }));
}

function toOffer(row: OfferRow): Offer {
  const fixed = row.fixedPrice === null ? null : minorFromNumeric(row.fixedPrice);
  return {
    productId: row.id,
    sku: row.sku,
    name: row.name,
    price: planPrice(minorFromNumeric(row.basePrice), basisPointsFromPercent(row.discount), fixed),
    deliveryCharge: minorFromNumeric(row.deliveryCharge),
    variations: row.variations,
  };
}

/** The prices were read for a plan that the client no longer has. */
export class PlanChangedError extends DomainError {
  constructor() {
    super('unavailable', 'Your plan is just being changed. Please repeat the request.', {
      retryAfterSeconds: 2,
    });
  }
}

/** The reason why the client may no longer order, if there is one. */
export function findOrderingRefusal(
  orderingClient: OrderingClient,
  rights: CurrentRights,
): DomainError | undefined {
  const { isAdmitted, planId } = rights.of(orderingClient);
  if (!isAdmitted) return orderingClient.token ? tokenUnknown() : suspended();
  if (planId === null) return orderingClient.token ? subscriptionInactive() : noSubscription();
  return planId === orderingClient.plan.id ? undefined : new PlanChangedError();
}

function toUnpaidTotals({ orders, value, ordersLimit, valueLimit }: UnpaidRow): UnpaidTotals {
  return {
    unpaid: { orders, value: minorFromNumeric(value) },
    limits: { orders: ordersLimit, value: minorFromNumeric(valueLimit) },
  };
}

function sharedIdRow({ clientId, claim, domain, orderNumber }: NewOrder): Record<string, unknown> {
  return { client_id: clientId, store_order_id: claim!.storeOrderId, domain, order_number: orderNumber };
}

function orderRow({
  clientId,
  orderNumber,
  domain,
  planCode,
  request,
  contentHash,
  entry,
  lines,
  totals,
}: NewOrder): Record<string, unknown> {
  const sent = readOrderFields(request);
  return {
    client_id: clientId,
    order_number: orderNumber,
    store_order_id: request.store_order_id,
    domain,
    plan_code: planCode,
    subtotal: numericFromMinor(totals.subtotal),
    delivery: numericFromMinor(totals.delivery),
    total: numericFromMinor(totals.total),
    items_count: lines.length,
    ...Object.fromEntries(ORDER_FIELD_NAMES.map((name) => [columnOf(Order, name), sent[name]])),
    metadata: request.metadata,
    content_hash: `\\x${contentHash.toString('hex')}`,
    origin: entry?.origin ?? 'api',
    actor: entry?.author.actor ?? 'store',
    person_id: entry?.author.personId,
    address: entry?.author.address,
  };
}

function lineRows({ clientId, orderNumber, lines }: NewOrder): ColumnValues<typeof LINE_COLUMNS>[] {
  return lines.map((line) => ({
    client_id: clientId,
    order_number: orderNumber,
    line: line.index + 1,
    product_id: line.offer.productId,
    sku: line.offer.sku,
    name: line.offer.name,
    variation_key: line.variationKey,
    remark: line.remark,
    metadata: line.metadata,
    quantity: line.quantity,
    unit_price: numericFromMinor(line.offer.price),
    line_total: numericFromMinor(line.lineTotal),
  }));
}
