import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, type Repository } from 'typeorm';
import { BankTransfer } from '../entities/bank-transfer.entity.js';
import { GatewayEventRecord } from '../entities/gateway-event.entity.js';
import { GatewayRefundRecord } from '../entities/gateway-refund.entity.js';
import { Payment } from '../../orders/entities/payment.entity.js';
import { UNDERWAY } from '../rules/payment-status.js';

/** What somebody who watches the service wants to know of its payments. */
@Injectable()
export class PaymentCounts {
  constructor(
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    @InjectRepository(GatewayRefundRecord) private readonly refunds: Repository<GatewayRefundRecord>,
    @InjectRepository(GatewayEventRecord) private readonly events: Repository<GatewayEventRecord>,
    @InjectRepository(BankTransfer) private readonly transfers: Repository<BankTransfer>,
  ) {}

  async count(): Promise<Record<string, number>> {
    const concern = Not(IsNull());
    const [underway, concerning, refunding, refundsConcerning, events, transfers] = await Promise.all([
      this.payments.countBy({ status: In(UNDERWAY) }),
      this.payments.countBy({ concern }),
      this.refunds.countBy({ status: In(['requested', 'pending']) }),
      this.refunds.countBy({ concern }),
      this.events.countBy({ processedAt: IsNull() }),
      this.transfers.countBy({ status: 'announced' }),
    ]);
    return {
      underway,
      refunding,
      needing_a_person: concerning + refundsConcerning,
      events_waiting: events,
      transfers_announced: transfers,
    };
  }
}
