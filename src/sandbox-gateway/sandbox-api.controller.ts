import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Headers,
  HttpCode,
  Injectable,
  Param,
  Post,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Open } from '../platform/access/access-rule.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import { TakesJson } from '../platform/http/bodies.js';
import { BodyReadBy } from '../platform/validation/read-by.decorators.js';
import { SANDBOX_PATH } from './protocol.js';
import { Refusal, RefusalFilter, unknownId } from './refusal.js';
import {
  type SandboxOrderRequest,
  readOrderRequest,
  readRefundKey,
  readRefundRequest,
  type SandboxRefundRequest,
} from './requests.js';
import { collectionOf, findIn, newOrder, refund, type SandboxOrder } from './sandbox-order.js';
import { SandboxStore } from './sandbox-store.js';
import { WebhookSender } from './webhook-sender.js';

/** Requires the keys, as HTTP Basic authentication. */
@Injectable()
class KeysGuard implements CanActivate {
  constructor(private readonly store: SandboxStore) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { authorization = '' } = context.switchToHttp().getRequest<ApiRequest>().headers;
    const { keyId, keySecret } = await this.store.keys();
    const expected = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
    // timingSafeEqual needs equal lengths.
    const digest = (text: string) => createHash('sha256').update(text).digest();
    if (!timingSafeEqual(digest(authorization), digest(expected)))
      throw new Refusal('Authentication failed', null, 401);
    return true;
  }
}

/**
 * The part of Razorpay's API that our adapter uses. It takes no slot of the anonymous limit: a browser that
 * returns from a payment already holds one while our adapter sends its request here.
 */
@ApiExcludeController()
@Open()
@UseGuards(KeysGuard)
@UseFilters(RefusalFilter)
@Controller(`${SANDBOX_PATH}/v1`)
export class SandboxApiController {
  constructor(
    private readonly store: SandboxStore,
    private readonly sender: WebhookSender,
  ) {}

  @Post('orders')
  @HttpCode(200)
  @TakesJson()
  async open(@BodyReadBy(readOrderRequest) request: SandboxOrderRequest) {
    return (await this.store.add(newOrder(request))).order;
  }

  @Get('orders/:id/payments')
  async payments(@Param('id') id: string) {
    return collectionOf((await this.store.findOrder(id)).payments);
  }

  @Post('payments/:id/refund')
  @HttpCode(200)
  @TakesJson()
  async refund(
    @Param('id') id: string,
    @BodyReadBy(readRefundRequest) request: SandboxRefundRequest,
    @Headers('x-refund-idempotency') givenKey: string | undefined,
  ) {
    const key = readRefundKey(givenKey);
    const change = (state: SandboxOrder) => refund(state, id, request, key);
    const { result, webhooks } = await this.store.change(id, change, key);
    void this.sender.send(webhooks);
    return result;
  }

  @Get('payments/:id/refunds/:refundId')
  async refundStatus(@Param('id') id: string, @Param('refundId') refundId: string) {
    const found = findIn((await this.store.find(id)).refunds, refundId);
    if (found.payment_id !== id) throw unknownId();
    return found;
  }
}
