import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database, type Transaction } from '../platform/database/database.js';
import { GatewayEventRecord } from './entities/gateway-event.entity.js';
import { GatewayRefundRecord } from './entities/gateway-refund.entity.js';
import { Payment } from '../orders/entities/payment.entity.js';
import { gatewayKey } from '../wallet/rules/posting.js';
import { WalletEntry } from '../wallet/wallet-entry.entity.js';
import { type GatewayEvent, PaymentGateway } from './gateway/payment-gateway.js';

const KEPT_DAYS = 30;

/** Once an hour is enough for what is kept for a month. */
const PURGE_INTERVAL_MS = 3_600_000;

/** What the gateway tells by itself: kept as it came, and a reason to ask soon. Nothing in it is believed. */
@Injectable()
export class GatewayEvents {
  private purgedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    private readonly gateway: PaymentGateway,
    @InjectRepository(GatewayEventRecord) private readonly events: Repository<GatewayEventRecord>,
  ) {}

  /** Any number of times, in any order. Says whether it was told for the first time. */
  receive(raw: Buffer, headers: IncomingHttpHeaders): Promise<boolean> {
    const told = this.gateway.readEvent(raw, headers);
    return this.database.transaction(async (transaction) => {
      const event = {
        ...told,
        gatewayOrderId: told.gatewayOrderId ?? (await this.orderOf(transaction, told)),
      };
      const isNew = await this.insert(transaction, event, raw);
      if (isNew) await this.makeDue(transaction, event);
      return isNew;
    });
  }

  async purge(): Promise<void> {
    if (performance.now() - this.purgedAt < PURGE_INTERVAL_MS) return;
    this.purgedAt = performance.now();
    await this.events
      .createQueryBuilder()
      .delete()
      .where('received_at < now() - make_interval(days => :days)', { days: KEPT_DAYS })
      .execute();
  }

  /** An event about a refund may name no more than the payment that it is of. */
  private async orderOf(
    { manager }: Transaction,
    { gatewayPaymentId }: GatewayEvent,
  ): Promise<string | undefined> {
    if (gatewayPaymentId === undefined) return undefined;
    const payment = await manager
      .createQueryBuilder(Payment, 'p')
      .innerJoin(WalletEntry, 'e', 'e.clientId = p.clientId AND e.paymentId = p.paymentId')
      .where({ provider: this.gateway.name })
      .andWhere(`e.key = :key AND e.kind = 'top_up' AND e.against = 'gateway'`, {
        key: gatewayKey(gatewayPaymentId),
      })
      .getOne();
    return payment?.gatewayOrderId ?? undefined;
  }

  private async insert(
    { manager }: Transaction,
    { eventId, gatewayOrderId, gatewayRefundId }: GatewayEvent,
    body: Buffer,
  ): Promise<boolean> {
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(GatewayEventRecord)
      .values({ provider: this.gateway.name, eventId, gatewayOrderId, gatewayRefundId, body })
      .orIgnore()
      .returning('event_id')
      .execute();
    return (raw as unknown[]).length > 0;
  }

  private async makeDue(
    { manager }: Transaction,
    { eventId, gatewayOrderId, gatewayRefundId }: GatewayEvent,
  ): Promise<void> {
    const { name: provider } = this.gateway;
    // News is worth asking for as often as it comes; how long nothing was heard counts anew from here.
    const due = { nextCheckAt: () => 'now()', checks: 0 };
    if (gatewayRefundId !== undefined)
      await manager.update(GatewayRefundRecord, { gatewayRefundId, status: 'pending' }, due);
    const { affected } =
      gatewayOrderId === undefined
        ? { affected: 0 }
        : await manager.update(Payment, { provider, gatewayOrderId }, { ...due, urgent: true });
    // A person who looked at one refund that was made at the gateway has not seen the next one.
    if (gatewayRefundId !== undefined && !(await manager.existsBy(GatewayRefundRecord, { gatewayRefundId })))
      await manager.update(
        Payment,
        { provider, gatewayOrderId, resolvedConcern: 'refunded_elsewhere' },
        { resolvedConcern: null },
      );
    if (affected !== 0) return;
    // About a refund alone, which keeps its own state, or about nothing of ours: the account at the gateway may be shared.
    await manager.update(GatewayEventRecord, { provider, eventId }, { processedAt: () => 'now()' });
  }
}
