import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../../../platform/errors/domain-error.js';
import type { Transaction } from '../../../../platform/database/database.js';
import { SETTINGS, type Settings } from '../../../../platform/settings/settings.js';
import { actorOf, type Author } from '../../../audit/actor-of.js';
import { AuditLog, authorOf } from '../../../audit/audit-log.js';
import { StockMovement } from '../../../catalog/product.entity.js';
import { refundReturned } from '../../../orders/actions/refund.js';
import { OrderReturn, OrderReturnItem } from '../../../orders/entities/after-sale.entity.js';
import {
  LifecycleRepository,
  type LockedLine,
  orderKeyText,
} from '../../../orders/lifecycle/lifecycle.repository.js';
import {
  type ChangeCheck,
  OrderLifecycleService,
} from '../../../orders/lifecycle/order-lifecycle.service.js';
import { stockId } from '../../../orders/rules/order-stock.js';
import type { ReceivedLine } from '../../../orders/rules/order-units.js';
import { onHandAfter } from '../../../stock/rules/on-hand.js';
import { StockHoldings } from '../../../stock/stock-holdings.repository.js';
import type { ReturnChange, ReturnEffects } from './return-action.js';

const NOW = () => 'statement_timestamp()';

/** Reads what actions need to know of a return whose order is locked, and writes what they do. */
@Injectable()
export class ReturnWriterService {
  constructor(
    private readonly orders: LifecycleRepository,
    private readonly lifecycle: OrderLifecycleService,
    private readonly stock: StockHoldings,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Locks the order, then its stock, then what its refund locks. The check is of the locked order. */
  async write(
    transaction: Transaction,
    { clientId, orderNumber, returnNumber }: ReturnKey,
    { change, by, check }: { change: ReturnChange; by: Author; check?: ChangeCheck | undefined },
  ): Promise<void> {
    const { manager } = transaction;
    const key = { clientId, orderNumber, returnNumber };
    const [order] = await this.orders.lockAll(transaction, [key]);
    const found = await manager.findOneByOrFail(OrderReturn, key);
    await check?.(transaction);
    const items = await manager.find(OrderReturnItem, { where: key, order: { line: 'ASC' } });
    const lines = (await this.orders.linesOf(transaction, [key])).get(orderKeyText(key))!;
    const effects = change.decide({ ...found, items, order: { ...order!, lines } }, this.settings.timeZone);
    const { arrived = [], refunds, audit } = effects;
    await this.moveToStock(transaction, { returnNumber, lines, arrived, actor: actorOf(by) });
    for (const { line, ...counts } of arrived)
      await manager.update(OrderReturnItem, { ...key, line }, counts);
    const columns = columnsOf(effects, actorOf(by));
    if (Object.keys(columns).length > 0) await manager.update(OrderReturn, key, columns);
    if (refunds) {
      const refund = refundReturned({ number: returnNumber, reason: found.reason }, refunds);
      await this.lifecycle.applyChangeWithin(transaction, key, refund, actorOf(by));
    }
    if (audit)
      await this.audit.recordWithin(transaction, {
        ...authorOf(by, clientId),
        action: audit.action,
        subject: `return ${returnNumber}`,
        details: { order: orderNumber, ...audit.details },
      });
  }

  /** The movements name the return. Written-off units come in and go out, so the history has them. */
  private async moveToStock(
    transaction: Transaction,
    { returnNumber, lines, arrived, actor }: ReceivedGoods,
  ): Promise<void> {
    const goods = arrived
      .filter(({ received }) => received > 0)
      .map((unit) => ({ ...lines.find(({ line }) => line === unit.line)!, ...unit }));
    if (goods.length === 0) return;
    const restocked = goods.filter((unit) => unit.restocked > 0);
    const keys = new Map(restocked.map((unit) => [stockId(unit), unit]));
    const stock = await this.stock.lock(transaction, [...keys.values()]);
    const missing = restocked.find((unit) => !stock.some((item) => stockId(item) === stockId(unit)));
    if (missing) throw noStockRecord(missing);
    const changes = stock.map((item) => {
      const own = restocked.filter((unit) => stockId(unit) === stockId(item));
      const onHand = own.reduce((sum, unit) => sum + unit.restocked, 0);
      onHandAfter(item.onHand, onHand);
      return { id: item.id, onHand, held: 0 };
    });
    if (changes.length > 0) await this.stock.change(transaction, changes);
    const reason = `return ${returnNumber}`;
    const movements = goods.flatMap(({ productId, variationKey, received, restocked: kept }) => [
      { productId, variationKey, delta: received, reason, actor },
      { productId, variationKey, delta: kept - received, reason: `written off, ${reason}`, actor },
    ]);
    await transaction.manager.insert(
      StockMovement,
      movements.filter(({ delta }) => delta !== 0),
    );
  }
}

type ReturnKey = Pick<OrderReturn, 'clientId' | 'orderNumber' | 'returnNumber'>;

interface ReceivedGoods {
  returnNumber: string;
  lines: readonly LockedLine[];
  arrived: readonly ReceivedLine[];
  actor: string;
}

const columnsOf = ({ accepts, decides, refundOpen }: ReturnEffects, actor: string) => ({
  ...(accepts && { ...accepts, acceptedBy: actor, acceptedAt: NOW }),
  ...(decides && { ...decides, decidedBy: actor, decidedAt: NOW }),
  ...(refundOpen !== undefined && { refundOpen }),
});

/** The variation, or the product without one, left the catalog after the order. */
function noStockRecord({ line, variationKey }: LockedLine): DomainError {
  const what = variationKey === '' ? 'its product without a variation' : `the variation "${variationKey}"`;
  return new DomainError(
    'conflict',
    `Line ${line} cannot be restocked: there is no stock record of ${what} any more.`,
  );
}
