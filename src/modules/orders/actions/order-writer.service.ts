import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { groupBy } from '../../../platform/lists/group-by.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { monthAt } from '../../../platform/time/time.js';
import { actorOf, type Author } from '../../audit/actor-of.js';
import { AuditLog, authorOf } from '../../audit/audit-log.js';
import { StockMovement } from '../../catalog/product.entity.js';
import { InvoicingService } from '../../invoices/invoicing.service.js';
import { LAW_TIME_ZONE } from '../../invoices/rules/law-time-zone.js';
import { type StockChange, StockHoldings } from '../../stock/stock-holdings.repository.js';
import { WalletService } from '../../wallet/wallet.service.js';
import { Parcel } from '../entities/after-sale.entity.js';
import { Order, type OrderKey } from '../entities/order.entity.js';
import {
  LifecycleRepository,
  type LockedLine,
  type LockedOrder,
  orderKeyText,
  type RecordedParcel,
} from '../lifecycle/lifecycle.repository.js';
import { requireUniqueTracking } from '../lifecycle/shared-tracking.repository.js';
import { requireAllowed } from '../order-errors.js';
import { type Demand, stockId } from '../rules/order-stock.js';
import type { OrderEffects, Need, OrderChange } from './order-action.js';
import { factsFor } from './order-facts.js';

/** A change of an order that is locked. */
export interface LockedChange {
  order: LockedOrder;
  change: OrderChange;
}

/** An order with what its action does. */
type Step = OrderKey & {
  order: LockedOrder;
  lines: readonly LockedLine[];
  parcels: readonly RecordedParcel[];
  effects: OrderEffects;
};

type Numbers = ReadonlyMap<string, number>;

/** Reads what actions need to know of locked orders, and writes what they do: for one order or for many. */
@Injectable()
export class OrderWriterService {
  constructor(
    private readonly orders: LifecycleRepository,
    private readonly stock: StockHoldings,
    private readonly wallets: WalletService,
    private readonly invoicing: InvoicingService,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Locks are always taken in this order: the orders, their stock, the wallets, and last the seller. */
  async write(transaction: Transaction, changes: readonly LockedChange[], by: Author): Promise<void> {
    if (changes.length === 0) return;
    const actor = actorOf(by);
    const steps = await this.decide(transaction, changes);
    await this.moveStock(transaction, steps, actor);
    const refunds = await this.addRefunds(transaction, steps, actor);
    await this.moveMoney(transaction, steps, refunds, actor);
    await this.recordDeliveries(transaction, steps);
    await this.updateOrders(transaction, steps, actor);
    const parcels = await this.addParcels(transaction, steps, actor);
    await this.undoParcels(transaction, steps);
    await this.addCorrections(transaction, steps, actor);
    await this.correctParcels(transaction, steps);
    await this.recordInAudit(transaction, steps, by);
    await this.refuseFiledMonths(transaction, steps);
    await this.issueDocuments(transaction, steps, { parcels, refunds });
  }

  private async decide(transaction: Transaction, changes: readonly LockedChange[]): Promise<Step[]> {
    // Nothing of an unpaid order has left, and it moves as a whole.
    const ordersWith = (need: Need) =>
      changes.flatMap(({ order, change }) =>
        change.needs.includes(need) && order.paymentStatus !== 'unpaid' ? [order] : [],
      );
    const read = async <Fact>(
      need: Need,
      readFacts: (orders: LockedOrder[]) => Promise<Map<string, Fact>>,
    ) => {
      const orders = ordersWith(need);
      return orders.length > 0 ? readFacts(orders) : new Map<string, Fact>();
    };
    const lines = await read('lines', (orders) => this.orders.linesOf(transaction, orders));
    const parcels = await read('parcels', (orders) => this.orders.parcelsOf(transaction, orders));
    const refunds = await read('refunds', (orders) => this.orders.refundsOf(transaction, orders));
    const prepared = await read('prepared', (orders) => this.orders.preparedOf(transaction, orders));
    const toSlip = ordersWith('slip');
    const oldSlips = toSlip.length > 0 ? await this.orders.withOldSlip(transaction, toSlip) : new Set();
    const hasInvoices =
      changes.some(({ change }) => change.needs.includes('invoices')) &&
      (await this.invoicing.isOn(transaction));
    const steps: Step[] = [];
    for (const { order, change } of changes) {
      const key = orderKeyText(order);
      const recorded = { lines: lines.get(key) ?? [], parcels: parcels.get(key) ?? [] };
      const facts = factsFor(change, {
        ...order,
        total: minorFromNumeric(order.total),
        delivery: minorFromNumeric(order.delivery),
        refunded: minorFromNumeric(order.refundedAmount),
        ...recorded,
        refunds: refunds.get(key) ?? [],
        prepared: prepared.get(key) ?? null,
        isSlipOld: oldSlips.has(order.orderNumber),
        recordedPayment: change.needs.includes('payment')
          ? await this.orders.recordedPaymentOf(transaction, order)
          : null,
        deliverTo: change.needs.includes('delivery') ? await this.orders.find(transaction, order) : null,
        hasInvoices,
      });
      const effects = requireAllowed(order, change.decide(facts, this.settings));
      const { clientId, orderNumber } = order;
      steps.push({ clientId, orderNumber, order, ...recorded, effects });
    }
    return steps;
  }

  private async moveStock(transaction: Transaction, steps: readonly Step[], actor: string): Promise<void> {
    const moving = steps.filter(({ effects }) => effects.stock !== 'none');
    if (moving.length === 0) return;
    const moves = await this.listMoves(transaction, moving);
    const writeOffs = moving.flatMap((step) => writeOffsOf(step, actor));
    const items = new Map(moves.map((item) => [stockId(item), item]));
    const changes: StockChange[] = [];
    for (const item of await this.stock.lock(transaction, [...items.values()])) {
      const own = moves.filter((one) => stockId(one) === stockId(item));
      const sumOf = (wanted: (move: StockMove) => number) => own.reduce((sum, move) => sum + wanted(move), 0);
      const taken = sumOf(({ effect, quantity }) => (effect === 'take' ? quantity : 0));
      if (taken > item.onHand) throw notEnoughOnHand(moving.length, item.variationKey, taken, item.onHand);
      const lost = writeOffs
        .filter((one) => stockId(one) === stockId(item))
        .reduce((sum, { delta }) => sum + delta, 0);
      if (item.onHand + lost < 0) throw notEnoughToWriteOff(item.variationKey, -lost, item.onHand);
      changes.push({
        id: item.id,
        held: sumOf(({ effect, quantity }) => STOCK_EFFECTS[effect].held * quantity),
        onHand: sumOf(({ effect, quantity }) => STOCK_EFFECTS[effect].onHand * quantity) + lost,
      });
    }
    await this.stock.change(transaction, changes);
    if (writeOffs.length > 0) await transaction.manager.insert(StockMovement, writeOffs);
  }

  /** Without units, all that an order holds moves. */
  private async listMoves(transaction: Transaction, moving: readonly Step[]): Promise<StockMove[]> {
    const moves = moving.flatMap(({ lines, effects: { units = [], stock } }) =>
      units.map(({ line, quantity }): StockMove => {
        const { productId, variationKey } = lines.find((one) => one.line === line)!;
        return { productId, variationKey, quantity, effect: stock as StockMove['effect'] };
      }),
    );
    const whole = moving.filter(({ effects }) => effects.units === undefined);
    for (const [effect, orders] of groupBy(whole, ({ effects }) => effects.stock as StockMove['effect'])) {
      const held = await this.orders.heldStock(transaction, orders);
      moves.push(...held.map((item) => ({ ...item, effect })));
    }
    return moves;
  }

  private async addRefunds(
    transaction: Transaction,
    steps: readonly Step[],
    actor: string,
  ): Promise<Numbers> {
    const refunds = steps.flatMap(({ clientId, orderNumber, effects: { refund } }) =>
      refund ? [{ ...refund, clientId, orderNumber }] : [],
    );
    return refunds.length > 0 ? this.orders.addRefunds(transaction, refunds, actor) : new Map();
  }

  /** Clients in the order of their numbers, as the orders are locked. */
  private async moveMoney(
    transaction: Transaction,
    steps: readonly Step[],
    refunds: Numbers,
    actor: string,
  ): Promise<void> {
    for (const [clientId, own] of groupBy(steps, (step) => step.clientId)) {
      const postings = own.flatMap(
        (step) => step.effects.postings?.({ refund: refunds.get(orderKeyText(step)) ?? 0, parcel: 0 }) ?? [],
      );
      if (postings.length > 0) await this.wallets.post(transaction, clientId, actor, postings);
    }
  }

  private async recordDeliveries(transaction: Transaction, steps: readonly Step[]): Promise<void> {
    const arrived = steps.flatMap(({ clientId, orderNumber, effects: { delivers } }) =>
      (delivers?.parcels ?? []).map((parcel) => ({ clientId, orderNumber, parcel, at: delivers!.at })),
    );
    if (arrived.length > 0) await this.orders.deliver(transaction, arrived);
  }

  private async updateOrders(transaction: Transaction, steps: readonly Step[], actor: string): Promise<void> {
    const passing = steps.flatMap(({ order, effects: { through, paymentStatus } }) =>
      through ? [{ ...order, status: through, paymentStatus, isNewStatus: through !== order.status }] : [],
    );
    if (passing.length > 0) await this.orders.updateStatuses(transaction, passing, actor);
    const updated = steps.flatMap(({ order, effects }) => {
      const { status, paymentStatus, columns, through, keepsOrder } = effects;
      const isNewStatus = status !== (through || order.status);
      return keepsOrder
        ? []
        : [{ ...order, status, paymentStatus, isNewStatus, ...(columns && { columns }) }];
    });
    if (updated.length > 0) await this.orders.updateStatuses(transaction, updated, actor);
  }

  /** Parcels that leave, and those that are invoiced first. Returns their numbers. */
  private async addParcels(
    transaction: Transaction,
    steps: readonly Step[],
    actor: string,
  ): Promise<Numbers> {
    const prepared = steps.flatMap(({ clientId, orderNumber, effects: { prepares } }) =>
      prepares ? [{ clientId, orderNumber, units: prepares }] : [],
    );
    if (prepared.length > 0) return this.orders.prepare(transaction, prepared, actor);
    const sent = steps.flatMap(({ clientId, orderNumber, effects: { sends } }) =>
      sends ? [{ clientId, orderNumber, ...sends }] : [],
    );
    if (sent.length === 0) return new Map();
    const numbers = await this.orders.addParcels(transaction, sent, actor);
    const invoiced = sent.filter(({ isPrepared }) => isPrepared);
    if (invoiced.length > 0) await this.sendPrepared(transaction, invoiced, numbers);
    await requireUniqueTracking(transaction, sent);
    return numbers;
  }

  /** Their invoices are issued. Each needs its IRN, or a person's reason. */
  private async sendPrepared(
    transaction: Transaction,
    parcels: readonly (OrderKey & { withoutIrn?: string | undefined })[],
    numbers: Numbers,
  ): Promise<void> {
    const unconfirmed = parcels.filter(({ withoutIrn }) => withoutIrn === undefined);
    await this.invoicing.refuseWithoutIrn(
      transaction,
      unconfirmed.map(({ clientId, orderNumber }) => {
        const key = { clientId, orderNumber };
        return { ...key, parcel: numbers.get(orderKeyText(key))! };
      }),
    );
    await this.orders.removePrepared(transaction, parcels);
  }

  private async undoParcels(transaction: Transaction, steps: readonly Step[]): Promise<void> {
    for (const { clientId, orderNumber, parcels, effects } of steps) {
      const key = { clientId, orderNumber };
      if (effects.removes === 'prepared parcel') await this.orders.removePrepared(transaction, [key]);
      if (effects.removes === 'newest parcel') await this.orders.withdraw(transaction, key, parcels);
      if (effects.undelivers !== undefined)
        await transaction.manager.update(
          Parcel,
          { ...key, parcel: effects.undelivers },
          { deliveredAt: null },
        );
    }
  }

  private async addCorrections(
    transaction: Transaction,
    steps: readonly Step[],
    actor: string,
  ): Promise<void> {
    for (const {
      clientId,
      orderNumber,
      effects: { correction, deliversTo },
    } of steps) {
      const key = { clientId, orderNumber };
      if (deliversTo) await transaction.manager.update(Order, key, deliversTo);
      if (!correction) continue;
      const { by, ...values } = correction;
      await this.orders.addCorrection(transaction, { ...key, actor, ...values }, by);
    }
  }

  /** The order has a copy of its newest parcel. */
  private async correctParcels(transaction: Transaction, steps: readonly Step[]): Promise<void> {
    for (const {
      clientId,
      orderNumber,
      parcels,
      effects: { corrects },
    } of steps) {
      if (!corrects) continue;
      const key = { clientId, orderNumber };
      await this.orders.correctParcel(transaction, key, parcels, corrects);
      const { values, sharedWithOrders } = corrects;
      const { trackingNumber = null } = values;
      await requireUniqueTracking(transaction, [{ ...key, trackingNumber, sharedWithOrders }]);
    }
  }

  private async recordInAudit(transaction: Transaction, steps: readonly Step[], by: Author): Promise<void> {
    const entries = steps.flatMap(({ clientId, orderNumber, effects: { audit } }) =>
      audit ? [{ ...authorOf(by, clientId), subject: `order ${orderNumber}`, ...audit }] : [],
    );
    if (entries.length > 0) await this.audit.recordWithin(transaction, ...entries);
  }

  /** Within a filed month the day may change: its return has the invoice. */
  private async refuseFiledMonths(transaction: Transaction, steps: readonly Step[]): Promise<void> {
    for (const {
      parcels,
      effects: { corrects },
    } of steps) {
      const { shippedAt } = corrects?.values ?? {};
      const parcel = parcels.find((one) => one.parcel === corrects?.parcel);
      if (shippedAt && monthAt(shippedAt, LAW_TIME_ZONE) !== monthAt(parcel!.shippedAt, LAW_TIME_ZONE))
        await this.invoicing.refuseFiledMonth(transaction, parcel!, shippedAt);
    }
  }

  private async issueDocuments(
    transaction: Transaction,
    steps: readonly Step[],
    { parcels, refunds }: Record<'parcels' | 'refunds', Numbers>,
  ): Promise<void> {
    const events = steps.flatMap(({ clientId, orderNumber, effects: { documents } }) => {
      const key = { clientId, orderNumber };
      const [parcel, refund] = [parcels, refunds].map((numbers) => numbers.get(orderKeyText(key)) ?? 0);
      return documents ? [{ ...key, ...documents({ parcel: parcel!, refund: refund! }) }] : [];
    });
    if (events.length > 0 && (await this.invoicing.isOn(transaction)))
      await this.invoicing.issue(transaction, await this.orders.toBill(transaction, events));
  }
}

type StockMove = Demand & { effect: keyof typeof STOCK_EFFECTS };

/** The changes of held and on hand for each unit. */
const STOCK_EFFECTS = {
  release: { held: -1, onHand: 0 },
  take: { held: -1, onHand: -1 },
  putBack: { held: 1, onHand: 1 },
} as const;

/** The movements of units that are not for sale again. */
function writeOffsOf({ orderNumber, lines, effects: { writtenOff = [], refund } }: Step, actor: string) {
  const reason = `written off, order ${orderNumber} cancelled: ${refund?.reason}`;
  return writtenOff.map(({ line, quantity }) => {
    const { productId, variationKey } = lines.find((one) => one.line === line)!;
    return { productId, variationKey, delta: -quantity, reason, actor };
  });
}

/** A person has counted the broken units out already, or counted wrongly. */
function notEnoughToWriteOff(variationKey: string, quantity: number, onHand: number): DomainError {
  const what = `${quantity}${variationKey ? ` of ${variationKey}` : ''}`;
  return new DomainError(
    'conflict',
    `${what} cannot be written off: only ${onHand} are on hand. Were they counted out already?`,
  );
}

/** The count is lower than the quantity that ships. One of the two is wrong, and only people know which. */
function notEnoughOnHand(
  orders: number,
  variationKey: string,
  quantity: number,
  onHand: number,
): DomainError {
  const shipped = `${quantity}${variationKey ? ` of ${variationKey}` : ''}`;
  const ships = orders === 1 ? 'The order ships' : 'The orders together ship';
  return new DomainError(
    'conflict',
    `${ships} ${shipped}, but only ${onHand} are on hand. Correct the count first, then ship.`,
  );
}
