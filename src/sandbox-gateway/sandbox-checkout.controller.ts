import { Controller, Get, Param, Post, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Page, type SeeOther, seeOther } from '../shared/ui/page.js';
import { PageInterceptor } from '../shared/ui/pages-in.decorator.js';
import { Open } from '../platform/access/access-rule.js';
import { TakesForm } from '../platform/http/bodies.js';
import { LimitAnonymous } from '../platform/limits/limit-concurrency.decorator.js';
import { BodyReadBy } from '../platform/validation/read-by.decorators.js';
import { checkoutPage, paymentPage, sandboxFrame } from './checkout-pages.js';
import { SANDBOX_PATH } from './protocol.js';
import { Refusal, RefusalFilter } from './refusal.js';
import { type SandboxCheckoutRequest, readCheckout } from './requests.js';
import { arrive, attempt, type SandboxOrder, settleRefund } from './sandbox-order.js';
import { SandboxStore } from './sandbox-store.js';
import { WebhookSender } from './webhook-sender.js';

/** Razorpay's Hosted Checkout, and pages on which a tester plays the bank. Tests send the same forms. */
@ApiExcludeController()
@Open()
@UseInterceptors(new PageInterceptor(sandboxFrame))
@UseFilters(RefusalFilter)
@Controller(SANDBOX_PATH)
export class SandboxCheckoutController {
  constructor(
    private readonly store: SandboxStore,
    private readonly sender: WebhookSender,
  ) {}

  @Post('v1/checkout/embedded')
  @LimitAnonymous()
  @TakesForm()
  async begin(@BodyReadBy(readCheckout) checkout: SandboxCheckoutRequest): Promise<Page> {
    if (checkout.keyId !== (await this.store.keys()).keyId)
      throw new Refusal('The key_id provided is invalid', 'key_id');
    const state = await this.store.findOrder(checkout.orderId);
    const { order } = state;
    const { amount = String(order.amount), currency = order.currency } = checkout;
    if (amount !== String(order.amount) || currency !== order.currency)
      throw new Refusal('The amount does not match the amount of the order.', 'amount');
    if (order.status === 'paid') throw new Refusal('The order is already paid.', 'order_id');
    return checkoutPage(state, checkout);
  }

  @Post('checkout')
  @LimitAnonymous()
  @TakesForm()
  async end(
    @BodyReadBy(readCheckout) { orderId, returnUrl, outcome }: SandboxCheckoutRequest,
  ): Promise<Page> {
    const change = (state: SandboxOrder) => ({ state, id: attempt(state, outcome).id });
    const { result, webhooks } = await this.store.change(orderId, change);
    const sent = this.sender.send(webhooks);
    if (outcome === 'webhook_before_return') await sent;
    const { keySecret } = await this.store.keys();
    return paymentPage(result.state, result.id, { returnUrl, keySecret });
  }

  @Get('payments/:id')
  @LimitAnonymous()
  async payment(@Param('id') id: string): Promise<Page> {
    return paymentPage(await this.store.find(id), id);
  }

  @Post('payments/:id/arrive')
  @LimitAnonymous()
  arrive(@Param('id') id: string): Promise<SeeOther> {
    return this.change(id, (state) => arrive(state, id).id);
  }

  @Post('refunds/:id/:outcome')
  @LimitAnonymous()
  settleRefund(@Param('id') id: string, @Param('outcome') outcome: string): Promise<SeeOther> {
    return this.change(id, (state) => settleRefund(state, id, outcome).payment_id);
  }

  /** Shows the payment that the change returns. */
  private async change(id: string, change: (state: SandboxOrder) => string): Promise<SeeOther> {
    const { result, webhooks } = await this.store.change(id, change);
    void this.sender.send(webhooks);
    return seeOther(`/${SANDBOX_PATH}/payments/${result}`);
  }
}
