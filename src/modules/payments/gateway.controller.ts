import { Controller, Get, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Page, type SeeOther, seeOther } from '../../shared/ui/page.js';
import { AnswersWithPages } from '../../shared/ui/pages-in.decorator.js';
import { Open } from '../../platform/access/access-rule.js';
import { TakesForm, TakesRaw } from '../../platform/http/bodies.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { LimitAnonymous } from '../../platform/limits/limit-concurrency.decorator.js';
import { BodyReadBy } from '../../platform/validation/read-by.decorators.js';
import { GatewayMessagesService } from './gateway-messages.service.js';
import { LooksSignedGuard } from './gateway/razorpay/signature.js';
import { paymentOutcomeFrame, paymentOutcomePage } from './payment-outcome-page.js';

/** The signature covers the raw bytes, so nothing is parsed before it is verified. */
const readRawBody = (raw: Buffer) => raw;

/**
 * Receives the gateway's events and returning browsers. There is no session here: a post from another site
 * brings no cookie. A signed return makes the service ask the gateway at once, an unsigned one soon. Nothing
 * in the request decides an amount or a status.
 */
@ApiExcludeController()
@Open()
@Controller('payments')
export class PaymentsController {
  constructor(private readonly messages: GatewayMessagesService) {}

  /**
   * No concurrency limit: only events with a good signature reach the database, and anonymous requests must
   * not delay them.
   */
  @Post('webhook')
  @HttpCode(200)
  @TakesRaw()
  @UseGuards(LooksSignedGuard)
  async event(
    @BodyReadBy(readRawBody) raw: Buffer,
    @Req() { headers }: Request,
  ): Promise<{ received: true }> {
    await this.messages.receiveEvent(raw, headers);
    return { received: true };
  }

  @Post(':paymentId/return')
  @AnswersWithPages(paymentOutcomeFrame)
  @LimitAnonymous()
  @TakesForm()
  async returned(
    @Param('paymentId') paymentId: string,
    @BodyReadBy(readReturnFields) fields: Record<string, string>,
  ): Promise<SeeOther> {
    const outcome = await this.messages.receiveReturn(paymentId, fields);
    return seeOther(`/payments/${paymentId}${'failure' in outcome ? '/failed' : ''}`);
  }

  /** Handles a reload of the return page from the browser's history. */
  @Get(':paymentId/return')
  @AnswersWithPages(paymentOutcomeFrame)
  @LimitAnonymous()
  async cameBack(@Param('paymentId') paymentId: string): Promise<SeeOther> {
    const { payment } = await this.messages.find(paymentId);
    return seeOther(`/payments/${payment.paymentId}`);
  }

  @Get(':paymentId/cancelled')
  @AnswersWithPages(paymentOutcomeFrame)
  @LimitAnonymous()
  async cancelled(@Param('paymentId') paymentId: string): Promise<Page> {
    return paymentOutcomePage(await this.messages.checkAfterCancel(paymentId), 'cancelled');
  }

  /** The browser reports a failure. Only the gateway's answer decides, and it may come later. */
  @Get(':paymentId/failed')
  @AnswersWithPages(paymentOutcomeFrame)
  @LimitAnonymous()
  async failed(@Param('paymentId') paymentId: string): Promise<Page> {
    return paymentOutcomePage(await this.messages.find(paymentId), 'failed');
  }

  @Get(':paymentId')
  @AnswersWithPages(paymentOutcomeFrame)
  @LimitAnonymous()
  async outcome(@Param('paymentId') paymentId: string): Promise<Page> {
    return paymentOutcomePage(await this.messages.find(paymentId));
  }
}

/** The fields of the browser's return, without repeated fields. */
function readReturnFields(fields: FormFields): Record<string, string> {
  const single = Object.entries(fields).filter(
    (entry): entry is [string, string] => !Array.isArray(entry[1]),
  );
  return Object.fromEntries(single);
}
