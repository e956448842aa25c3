import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Received, StubServer } from './stub-server.js';

interface Order {
  id: string;
  amount: number;
  currency: string;
  receipt: string;
  /** How often it was paid. */
  captures: number;
}

/** As much of Razorpay as it takes to be paid: somebody else's server, which the test has under its thumb. */
export class StubRazorpay {
  readonly keys = {
    keyId: 'rzp_test_stub',
    keySecret: 'stub-key-secret',
    webhookSecret: 'stub-webhook-secret',
  };
  /** Answers nothing but 503, as when it is away. */
  isAway = false;
  /** What happens while an answer that was made is on its way. */
  meanwhile: (request: Received) => Promise<unknown> = () => Promise.resolve();
  /** How it refuses what it is asked, where it does. */
  refuses: ((request: Received) => number | undefined) | undefined;
  /** How far money is that it sends back. */
  refundStatus: 'pending' | 'processed' = 'processed';
  /** How far money is that somebody has paid. */
  paymentStatus: 'authorized' | 'captured' = 'captured';
  /** How much it says was sent back of each payment, whoever has asked for that. */
  amountRefunded = 0;
  /** The id that it gives to every payment, whatever the order. */
  reusedId: string | undefined;
  /** What happens at the very moment at which an answer has left. */
  answered: (request: Received) => void = () => undefined;
  private readonly orders = new Map<string, Order>();

  private constructor(private readonly server: StubServer) {
    server.answer = (response, request) => this.take(response, request);
  }

  static async start(): Promise<StubRazorpay> {
    return new StubRazorpay(await StubServer.start());
  }

  get url(): string {
    return this.server.url;
  }

  get asked(): number {
    return this.server.received.length;
  }

  /** What it was asked, in this order. */
  get paths(): string[] {
    return this.server.received.map(({ path }) => path);
  }

  /** For a service of its own process. */
  get environment(): Record<string, string> {
    return {
      PAYMENT_GATEWAY: 'razorpay',
      RAZORPAY_API_URL: this.url,
      RAZORPAY_KEY_ID: this.keys.keyId,
      RAZORPAY_KEY_SECRET: this.keys.keySecret,
      RAZORPAY_WEBHOOK_SECRET: this.keys.webhookSecret,
    };
  }

  /** Somebody has paid; once more, if somebody had already. */
  capture(gatewayOrderId: string): void {
    this.orders.get(gatewayOrderId)!.captures++;
  }

  /** What a browser brings back that has paid. */
  wayBack(gatewayOrderId: string): Record<string, string> {
    const paymentId = paymentIdOf(gatewayOrderId, 0);
    const signature = this.sign(`${gatewayOrderId}|${paymentId}`, this.keys.keySecret);
    return {
      razorpay_payment_id: paymentId,
      razorpay_order_id: gatewayOrderId,
      razorpay_signature: signature,
    };
  }

  /** Tells the service that something happened to an order. */
  tell(serviceUrl: string, gatewayOrderId: string, eventId?: string): Promise<Response> {
    const entity = { id: paymentIdOf(gatewayOrderId, 0), order_id: gatewayOrderId };
    return this.post(serviceUrl, { event: 'payment.captured', payload: { payment: { entity } } }, eventId);
  }

  /** Tells of a refund that was made at its own dashboard. As a rule an event names the order too. */
  tellRefund(serviceUrl: string, gatewayOrderId: string, namesOrder: boolean): Promise<Response> {
    const paymentId = paymentIdOf(gatewayOrderId, 0);
    const refund = { entity: { id: `rfnd_${randomUUID().slice(0, 8)}`, payment_id: paymentId } };
    const payment = { entity: { id: paymentId, order_id: gatewayOrderId } };
    const payload = { refund, ...(namesOrder && { payment }) };
    return this.post(serviceUrl, { event: 'refund.processed', payload });
  }

  private post(serviceUrl: string, event: object, eventId = `evt_${randomUUID()}`): Promise<Response> {
    const body = JSON.stringify(event);
    const signature = this.sign(body, this.keys.webhookSecret);
    return fetch(`${serviceUrl}/payments/webhook`, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        'X-Razorpay-Signature': signature,
        'X-Razorpay-Event-Id': eventId,
      },
    });
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private async take(response: ServerResponse, request: Received): Promise<void> {
    const refused = this.refuses?.(request);
    const [status, body] = refused
      ? [refused, { error: { code: 'BAD_REQUEST_ERROR', description: 'refused' } }]
      : this.isAway
        ? [503, { error: { description: 'away' } }]
        : [200, this.answerTo(request)];
    await this.meanwhile(request);
    response.writeHead(status as number, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body), () => this.answered(request));
  }

  private answerTo({ method, path, body }: Received): object {
    if (method === 'POST' && path === '/v1/orders') return this.open(JSON.parse(body) as Order);
    const [, refunded] = /^\/v1\/payments\/(\w+)\/refund$/.exec(path) ?? [];
    if (refunded)
      return { ...toRefund(refunded, JSON.parse(body) as { amount: number }), status: this.refundStatus };
    const [, id = ''] = /^\/v1\/orders\/(\w+)\/payments$/.exec(path) ?? [];
    const order = this.orders.get(id);
    const items = order ? Array.from({ length: order.captures }, (_, n) => this.toPayment(order, n)) : [];
    return { entity: 'collection', count: items.length, items };
  }

  private toPayment(order: Order, attempt: number): object {
    const { paymentStatus: status, amountRefunded } = this;
    const payment = { ...toPayment(order, attempt), status, amount_refunded: amountRefunded };
    return this.reusedId === undefined ? payment : { ...payment, id: this.reusedId };
  }

  private sign(text: string, secret: string): string {
    return createHmac('sha256', secret).update(text).digest('hex');
  }

  private open({ amount, currency, receipt }: Order): object {
    const id = `order_${randomUUID().replaceAll('-', '').slice(0, 14)}`;
    this.orders.set(id, { id, amount, currency, receipt, captures: 0 });
    return {
      id,
      entity: 'order',
      amount,
      amount_paid: 0,
      amount_due: amount,
      currency,
      receipt,
      offer_id: null,
      status: 'created',
      attempts: 0,
      notes: [],
      created_at: 1_642_662_092,
    };
  }
}

function paymentIdOf(gatewayOrderId: string, attempt: number): string {
  return `${gatewayOrderId.replace('order_', 'pay_')}${attempt}`;
}

function toPayment({ id, amount, currency }: Order, attempt: number): object {
  return {
    id: paymentIdOf(id, attempt),
    entity: 'payment',
    amount,
    currency,
    order_id: id,
    method: 'upi',
    refund_status: null,
    error_code: null,
    error_description: null,
  };
}

function toRefund(paymentId: string, { amount }: { amount: number }): object {
  return {
    id: `rfnd_${randomUUID().replaceAll('-', '').slice(0, 14)}`,
    entity: 'refund',
    payment_id: paymentId,
    amount,
    currency: 'INR',
  };
}
