import { Controller, Get, HttpCode, Logger, Param, Post, Req, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { AnswersWithPages } from '../pages/pages-in.decorator.js';
import { type Page, type SeeOther, seeOther } from '../pages/page.js';
import { Open } from '../platform/access/access-rule.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { TakesForm } from '../platform/http/form-body.js';
import { TakesRaw } from '../platform/http/raw-body.js';
import { TakesOpenPlace } from '../platform/rate-limit/takes-place.decorator.js';
import { BodyReadBy } from '../platform/validation/readers.js';
import type { PaymentKey } from '../orders/entities/payment.entity.js';
import { GatewayEvents } from './gateway-events.js';
import { type GatewayReturn, PaymentGateway } from './gateway/payment-gateway.js';
import { LooksSignedGuard } from './gateway/razorpay/looks-signed.guard.js';
import { outcomeFrame, outcomePage } from './outcome-page.js';
import { PaymentsRepository } from './payments.repository.js';
import { readReturnFields } from './read-return-fields.js';
import { Reconciler } from './settling/reconciler.js';
import { Settlement } from './settling/settlement.js';

/** It is signed as a whole: nothing in it is looked at before that was verified. */
const asItCame = (raw: Buffer) => raw;

/**
 * Where the gateway and those who come back from it arrive. Nobody has a session here: a post from another site brings no cookie. What is signed
 * is a reason to ask the gateway at once, what is not a reason to ask it soon; nothing that is brought decides anything.
 */
@ApiExcludeController()
@Open()
@Controller('payments')
export class PaymentsController {
  private readonly logger = new Logger(PaymentsController.name);

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentsRepository,
    private readonly settlement: Settlement,
    private readonly events: GatewayEvents,
    private readonly reconciler: Reconciler,
  ) {}

  /** Takes no place: only what the gateway signed reaches the database, and it is not to wait behind strangers. */
  @Post('webhook')
  @HttpCode(200)
  @UseGuards(LooksSignedGuard)
  @TakesRaw()
  async event(@BodyReadBy(asItCame) raw: Buffer, @Req() { headers }: Request): Promise<{ received: true }> {
    if (await this.events.receive(raw, headers)) this.reconciler.soon();
    return { received: true };
  }

  @Post(':paymentId/return')
  @AnswersWithPages(outcomeFrame)
  @TakesOpenPlace()
  @TakesForm()
  async returned(
    @Param('paymentId') paymentId: string,
    @BodyReadBy(readReturnFields) fields: Record<string, string>,
  ): Promise<SeeOther> {
    const payment = await this.payments.findByItself(paymentId);
    if (payment.gatewayOrderId === null || payment.provider !== this.gateway.name) throw nothingToReturnTo();
    const outcome = this.gateway.readReturn(fields, payment.gatewayOrderId);
    if (payment.status !== 'paid') await this.follow(payment, outcome);
    return seeOutcome(payment);
  }

  /** Whoever changed their mind at the gateway. It may have been too late: that will be found out. */
  @Get(':paymentId/return')
  @AnswersWithPages(outcomeFrame)
  @TakesOpenPlace()
  async cameBack(@Param('paymentId') paymentId: string): Promise<SeeOther> {
    return seeOutcome(await this.payments.findByItself(paymentId));
  }

  @Get(':paymentId')
  @AnswersWithPages(outcomeFrame)
  @TakesOpenPlace()
  async outcome(@Param('paymentId') paymentId: string): Promise<Page> {
    const payment = await this.payments.findByItself(paymentId);
    return outcomePage(payment, this.gateway.isTest && payment.provider === this.gateway.name);
  }

  private async follow(payment: PaymentKey, outcome: GatewayReturn): Promise<void> {
    const isSigned = 'gatewayPaymentId' in outcome;
    if (isSigned && (await this.payments.mayAsk(payment))) await this.settleIfPossible(payment);
    else await this.askSoon(payment);
  }

  /** Whether the gateway answers now or later is the same to whoever comes back. */
  private async settleIfPossible(payment: PaymentKey): Promise<void> {
    try {
      await this.settlement.settle(payment);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn(`Payment ${payment.paymentId} will be asked for again: ${error.message}`);
      await this.askSoon(payment);
    }
  }

  private async askSoon({ clientId, paymentId }: PaymentKey): Promise<void> {
    await this.payments.change({ clientId, paymentId }, { nextCheckAt: SOON, urgent: true });
    this.reconciler.soon();
  }
}

/** Whoever comes back again and again has the gateway asked no more often than this. */
const SOON = () => `greatest(now(), answered_at + interval '5 seconds')`;

function seeOutcome({ paymentId }: PaymentKey): SeeOther {
  return seeOther(`/payments/${paymentId}`);
}

function nothingToReturnTo(): DomainError {
  return new DomainError('payment_not_found', 'This payment was never opened at the gateway.');
}
