import { Controller, Get, Param, Post, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Page, type SeeOther, seeOther } from '../../pages/page.js';
import { PageInterceptor } from '../../pages/pages-in.decorator.js';
import { Open } from '../../platform/access/access-rule.js';
import { TakesForm } from '../../platform/http/bodies.js';
import { TakesOpenPlace } from '../../platform/rate-limit/takes-place.decorator.js';
import { BodyReadBy } from '../../platform/validation/readers.js';
import { SandboxKeys } from '../account/sandbox-keys.js';
import { SandboxRefunds } from '../api/sandbox-refunds.js';
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
import { sandboxFrame } from './sandbox-frame.js';

/** The pages that Razorpay calls Hosted Checkout, and what stands in for banks. Tests press the buttons by the same form posts. */
@ApiExcludeController()
@Open()
@UseInterceptors(new PageInterceptor(sandboxFrame))
@UseFilters(RefusalFilter)
@Controller(SANDBOX_PATH)
export class SandboxCheckoutController {
  constructor(
    private readonly checkouts: SandboxCheckouts,
    private readonly refunds: SandboxRefunds,
    private readonly keys: SandboxKeys,
  ) {}

  @Post('v1/checkout/embedded')
  @TakesOpenPlace()
  @TakesForm()
  async begin(@BodyReadBy(readCheckoutBegun) begun: CheckoutBegun): Promise<Page> {
    if (begun.keyId !== (await this.keys.read()).keyId)
      throw new Refusal('The key_id provided is invalid', 'key_id');
    const state = await this.checkouts.find(begun.orderId);
    const { amount, currency } = orderJson(state);
    if ((begun.amount ?? String(amount)) !== String(amount) || (begun.currency ?? currency) !== currency)
      throw new Refusal('The amount does not match the amount of the order.', 'amount');
    if (isPaid(state.payments)) throw new Refusal('The order is already paid.', 'order_id');
    return checkoutPage(state, begun);
  }

  @Post('checkout')
  @TakesOpenPlace()
  @TakesForm()
  async end(@BodyReadBy(readCheckoutEnded) ended: CheckoutEnded): Promise<Page> {
    const { orderId, returnUrl, outcome } = ended;
    const payment = await this.checkouts.attempt(orderId, outcome);
    const fields = returnFields(payment, (await this.keys.read()).keySecret);
    return outcomePage(payment, returnUrl, fields);
  }

  @Get('payments/:id')
  @TakesOpenPlace()
  async payment(@Param('id') id: string): Promise<Page> {
    const { payment, state } = await this.checkouts.findPayment(id);
    return paymentPage(payment, state);
  }

  @Post('payments/:id/arrive')
  @TakesOpenPlace()
  async arrive(@Param('id') id: string): Promise<SeeOther> {
    await this.checkouts.arrive(id);
    return seePayment(id);
  }

  @Post('refunds/:id/processed')
  @TakesOpenPlace()
  refundProcessed(@Param('id') id: string): Promise<SeeOther> {
    return this.settle(id, 'processed');
  }

  @Post('refunds/:id/failed')
  @TakesOpenPlace()
  refundFailed(@Param('id') id: string): Promise<SeeOther> {
    return this.settle(id, 'failed');
  }

  private async settle(id: string, status: 'processed' | 'failed'): Promise<SeeOther> {
    const payment = await this.refunds.settle(id, status);
    return seePayment(payment.id);
  }
}

function seePayment(id: string): SeeOther {
  return seeOther(`/${SANDBOX_PATH}/payments/${id}`);
}
