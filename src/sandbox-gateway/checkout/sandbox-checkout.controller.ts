import { Controller, Get, HttpCode, Param, Post, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Open } from '../../platform/access/access-rule.js';
import { TakesForm } from '../../platform/http/form-body.js';
import { TakesOpenPlace } from '../../platform/rate-limit/takes-open-place.decorator.js';
import { BodyReadBy } from '../../platform/validation/body-read-by.decorator.js';
import { SandboxKeys } from '../account/sandbox-keys.js';
import { SandboxRefunds } from '../api/sandbox-refunds.js';
import { sendPage } from '../pages/send-page.js';
import { isPaid, orderJson } from '../protocol.js';
import { Refusal } from '../refusal.js';
import { RefusalFilter } from '../refusal-filter.js';
import { SANDBOX_PATH } from '../sandbox-path.js';
import {
  type CheckoutBegun,
  type CheckoutEnded,
  readCheckoutBegun,
  readCheckoutEnded,
} from './checkout-fields.js';
import { checkoutPage, outcomePage, paymentPage } from './checkout-pages.js';
import { returnFields } from './return-fields.js';
import { SandboxCheckouts } from './sandbox-checkouts.js';

/** The pages that Razorpay calls Hosted Checkout, and what stands in for banks. Tests press the buttons by the same form posts. */
@ApiExcludeController()
@Open()
@UseFilters(RefusalFilter)
@Controller(SANDBOX_PATH)
export class SandboxCheckoutController {
  constructor(
    private readonly checkouts: SandboxCheckouts,
    private readonly refunds: SandboxRefunds,
    private readonly keys: SandboxKeys,
  ) {}

  @Post('v1/checkout/embedded')
  @HttpCode(200)
  @TakesOpenPlace()
  @TakesForm()
  async begin(@BodyReadBy(readCheckoutBegun) begun: CheckoutBegun, @Res() response: Response): Promise<void> {
    if (begun.keyId !== (await this.keys.read()).keyId)
      throw new Refusal('The key_id provided is invalid', 'key_id');
    const state = await this.checkouts.find(begun.orderId);
    const { amount, currency } = orderJson(state);
    if ((begun.amount ?? String(amount)) !== String(amount) || (begun.currency ?? currency) !== currency)
      throw new Refusal('The amount does not match the amount of the order.', 'amount');
    if (isPaid(state.payments)) throw new Refusal('The order is already paid.', 'order_id');
    sendPage(response, begun.name, checkoutPage(state, begun, begun.description));
  }

  @Post('checkout')
  @HttpCode(200)
  @TakesOpenPlace()
  @TakesForm()
  async end(@BodyReadBy(readCheckoutEnded) ended: CheckoutEnded, @Res() response: Response): Promise<void> {
    const { orderId, returnUrl, outcome } = ended;
    const payment = await this.checkouts.attempt(orderId, outcome);
    const fields = returnFields(payment, (await this.keys.read()).keySecret);
    sendPage(response, TITLES[payment.status], outcomePage(payment, returnUrl, fields), returnUrl);
  }

  @Get('payments/:id')
  @TakesOpenPlace()
  async payment(@Param('id') id: string, @Res() response: Response): Promise<void> {
    const { payment, state } = await this.checkouts.findPayment(id);
    sendPage(response, `Payment ${payment.id}`, paymentPage(payment, state));
  }

  @Post('payments/:id/arrive')
  @TakesOpenPlace()
  async arrive(@Param('id') id: string, @Res() response: Response): Promise<void> {
    await this.checkouts.arrive(id);
    response.redirect(303, `/${SANDBOX_PATH}/payments/${id}`);
  }

  @Post('refunds/:id/processed')
  @TakesOpenPlace()
  refundProcessed(@Param('id') id: string, @Res() response: Response): Promise<void> {
    return this.settle(id, 'processed', response);
  }

  @Post('refunds/:id/failed')
  @TakesOpenPlace()
  refundFailed(@Param('id') id: string, @Res() response: Response): Promise<void> {
    return this.settle(id, 'failed', response);
  }

  private async settle(id: string, status: 'processed' | 'failed', response: Response): Promise<void> {
    const payment = await this.refunds.settle(id, status);
    response.redirect(303, `/${SANDBOX_PATH}/payments/${payment.id}`);
  }
}

const TITLES = { captured: 'Paid', failed: 'Failed', created: 'On its way' };
