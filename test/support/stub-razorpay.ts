import type { ServerResponse } from 'node:http';
import { newEvent, returnFields, type Webhook, webhookHeaders } from '../../src/sandbox-gateway/protocol.js';
import { readOrderRequest, readRefundRequest } from '../../src/sandbox-gateway/requests.js';
import {
  addPayment,
  collectionOf,
  idWithin,
  newOrder,
  orderIdOf,
  refund,
  type SandboxOrder,
} from '../../src/sandbox-gateway/sandbox-order.js';
import { type Received, StubServer } from './stub-server.js';

/**
 * The sandbox as a separate server that keeps its orders in memory. It outlives the service under test,
 * and gives odd answers where a test asks for them.
 */
export class StubRazorpay {
  readonly keys = {
    keyId: 'rzp_test_stub',
    keySecret: 'stub-key-secret',
    webhookSecret: 'stub-webhook-secret',
  };
  /** Answers every request with 503. */
  isAway = false;
  /** Runs while an answer is on its way. */
  meanwhile: (request: Received) => Promise<unknown> = () => Promise.resolve();

  /** Runs once, while the next answer is on its way. */
  set duringNext(work: () => Promise<unknown>) {
    this.meanwhile = () => {
      this.meanwhile = () => Promise.resolve();
      return work();
    };
  }

  /** The status with which it refuses a request. */
  refuses: ((request: Received) => number | undefined) | undefined;
  /** These replace the values of every payment and of every refund in the answers. */
  refundStatus: 'pending' | 'processed' = 'processed';
  paymentStatus: 'authorized' | 'captured' = 'captured';
  amountRefunded = 0;
  reusedId: string | undefined;
  /** Runs when an answer has left. */
  answered: (request: Received) => void = () => undefined;
  private readonly orders = new Map<string, SandboxOrder>();

  private constructor(private readonly server: StubServer) {
    server.answer = (response, request) => this.take(response, request);
  }

  static async start(): Promise<StubRazorpay> {
    return new StubRazorpay(await StubServer.start());
  }

  get url(): string {
    return this.server.url;
  }

  /** Ends all odd answers. */
  behave(): void {
    Object.assign(this, { isAway: false, refundStatus: 'processed', paymentStatus: 'captured' });
    Object.assign(this, { refuses: undefined, amountRefunded: 0, reusedId: undefined });
    this.meanwhile = () => Promise.resolve();
  }

  /** The number of requests so far. */
  get requestCount(): number {
    return this.server.received.length;
  }

  get paths(): string[] {
    return this.server.received.map(({ path }) => path);
  }

  /** For a service in its own process. */
  get environment(): Record<string, string> {
    return {
      PAYMENT_GATEWAY: 'razorpay',
      RAZORPAY_API_URL: this.url,
      RAZORPAY_KEY_ID: this.keys.keyId,
      RAZORPAY_KEY_SECRET: this.keys.keySecret,
      RAZORPAY_WEBHOOK_SECRET: this.keys.webhookSecret,
    };
  }

  /** Pays the order, also a second time. */
  capture(gatewayOrderId: string): void {
    addPayment(this.orders.get(gatewayOrderId)!, 'captured');
  }

  /** The fields of a browser that returns from a payment, whether or not the order is paid. */
  fieldsOfReturn(gatewayOrderId: string): Record<string, string> {
    return returnFields({ ...firstPaymentOf(gatewayOrderId), status: 'captured' }, this.keys.keySecret);
  }

  /** Sends the event of a payment. */
  sendEvent(serviceUrl: string, gatewayOrderId: string, eventId?: string): Promise<Response> {
    const event = newEvent('payment.captured', { payment: firstPaymentOf(gatewayOrderId) });
    return this.post(serviceUrl, { ...event, eventId: eventId ?? event.eventId });
  }

  /**
   * Sends the event of a refund that was made in Razorpay's dashboard. Usually an event names the order too.
   */
  sendRefundEvent(serviceUrl: string, gatewayOrderId: string, namesOrder: boolean): Promise<Response> {
    const payment = firstPaymentOf(gatewayOrderId);
    const made = { id: idWithin(gatewayOrderId, 'rfnd', 99), payment_id: payment.id };
    const event = newEvent('refund.processed', { refund: made, ...(namesOrder && { payment }) });
    return this.post(serviceUrl, event);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private post(serviceUrl: string, event: Webhook): Promise<Response> {
    const headers = webhookHeaders(event, this.keys.webhookSecret);
    return fetch(`${serviceUrl}/payments/webhook`, { method: 'POST', body: event.body, headers });
  }

  private async take(response: ServerResponse, request: Received): Promise<void> {
    const refused = this.refuses?.(request);
    const [status, body] = refused
      ? [refused, { error: { code: 'BAD_REQUEST_ERROR', description: 'refused' } }]
      : this.isAway
        ? [503, { error: { description: 'away' } }]
        : [200, this.answerTo(request)];
    await this.meanwhile(request);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body), () => this.answered(request));
  }

  private answerTo({ method, path, headers, body }: Received): object {
    const [id = ''] = /(?:order|pay)_\w+/.exec(path) ?? [];
    if (method === 'GET') return this.payments(id);
    const requested = JSON.parse(body) as Record<string, unknown>;
    if (!path.endsWith('/refund')) return this.open(requested);
    const order = this.orders.get(orderIdOf(id))!;
    const made = refund(order, id, readRefundRequest(requested), headers['x-refund-idempotency'] as string);
    return { ...made, status: this.refundStatus };
  }

  private open(requested: Record<string, unknown>): object {
    const state = newOrder(readOrderRequest(requested));
    this.orders.set(state.order.id, state);
    return state.order;
  }

  private payments(orderId: string): object {
    const replaced = {
      status: this.paymentStatus,
      ...(this.amountRefunded > 0 && { amount_refunded: this.amountRefunded }),
      ...(this.reusedId !== undefined && { id: this.reusedId }),
    };
    const { payments = [] } = this.orders.get(orderId) ?? {};
    return collectionOf(payments.map((payment) => ({ ...payment, ...replaced })));
  }
}

function firstPaymentOf(gatewayOrderId: string) {
  return { id: idWithin(gatewayOrderId, 'pay', 0), order_id: gatewayOrderId };
}
