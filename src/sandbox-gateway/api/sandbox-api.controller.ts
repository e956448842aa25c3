import { Controller, Get, Headers, HttpCode, Param, Post, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Open } from '../../platform/access/access-rule.js';
import { TakesJson } from '../../platform/http/bodies.js';
import { BodyReadBy } from '../../platform/validation/readers.js';
import { orderJson, paymentJson, refundJson } from '../protocol.js';
import { RefusalFilter } from '../refusal-filter.js';
import { SANDBOX_PATH } from '../sandbox-path.js';
import { KeysGuard } from './keys.guard.js';
import { type OrderToOpen, readOrderRequest } from './order-request.js';
import { readRefundKey, readRefundRequest, type RefundToMake } from './refund-request.js';
import { SandboxOrders } from './sandbox-orders.js';
import { SandboxRefunds } from './sandbox-refunds.js';

/**
 * What of Razorpay's API our adapter uses, to the letter. Who has the keys is no stranger and takes no place of theirs: somebody who comes
 * back from paying keeps one while our adapter asks here.
 */
@ApiExcludeController()
@Open()
@UseGuards(KeysGuard)
@UseFilters(RefusalFilter)
@Controller(`${SANDBOX_PATH}/v1`)
export class SandboxApiController {
  constructor(
    private readonly orders: SandboxOrders,
    private readonly refunds: SandboxRefunds,
  ) {}

  @Post('orders')
  @HttpCode(200)
  @TakesJson()
  async open(@BodyReadBy(readOrderRequest) order: OrderToOpen) {
    return orderJson(await this.orders.open(order));
  }

  @Get('orders/:id')
  async order(@Param('id') id: string) {
    return orderJson(await this.orders.find(id));
  }

  @Get('orders/:id/payments')
  async payments(@Param('id') id: string) {
    const state = await this.orders.find(id);
    const items = state.payments.map((payment) => paymentJson(payment, state));
    return { entity: 'collection', count: items.length, items };
  }

  @Post('payments/:id/refund')
  @HttpCode(200)
  @TakesJson()
  async refund(
    @Param('id') id: string,
    @BodyReadBy(readRefundRequest) asked: RefundToMake,
    @Headers('x-refund-idempotency') key: string | undefined,
  ) {
    const { refund, state } = await this.refunds.make(id, asked, readRefundKey(key));
    return refundJson(refund, state);
  }

  @Get('payments/:id/refunds/:refundId')
  async refundStatus(@Param('id') id: string, @Param('refundId') refundId: string) {
    const { refund, state } = await this.refunds.find(id, refundId);
    return refundJson(refund, state);
  }
}
