import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { eventually } from '../support/eventually.js';
import { Fixtures, type Store } from '../support/fixtures.js';
import { atSuiteEnd } from '../support/suite-end.js';
import { OrderLoad } from '../support/order-load.js';
import { type SignedIn, signIn } from '../support/sign-in.js';

/** Of each order, in paise: two units at the price of the fixtures. */
const TOTAL = '20000';

/** The longest time between two successes. */
class Gap {
  private maxGap = 0;
  private last = performance.now();

  success(): void {
    const now = performance.now();
    this.maxGap = Math.max(this.maxGap, now - this.last);
    this.last = now;
  }

  /** In seconds, and begins anew. */
  take(): number {
    this.success();
    const seconds = this.maxGap / 1_000;
    this.maxGap = 0;
    return seconds;
  }
}

/** Orders, payments and reads of one client, in turn through all nodes, until it is stopped. */
export class Traffic {
  /** Orders whose payment was confirmed. */
  readonly paid = new Set<string>();
  readonly gaps = { orders: new Gap(), payments: new Gap(), reads: new Gap(), 'order reads': new Gap() };
  /** Answers that are neither a success nor 503, and for a repetition neither a conflict. */
  readonly strange = new Set<string>();
  private failed = 0;
  readonly orders: OrderLoad;
  private turn = 0;
  private stopping = false;
  private readonly work: Promise<unknown>;

  private constructor(
    private readonly nodes: () => string[],
    readonly store: Store,
    skus: string[],
    private readonly buyer: SignedIn,
  ) {
    this.orders = new OrderLoad({
      url: () => this.node(),
      store,
      items: (n) => [0, 1].map((step) => ({ sku: skus[(n + step) % skus.length]!, quantity: 1 })),
      workers: 4,
    });
    atSuiteEnd(() => (this.stopping = true));
    this.work = Promise.all([
      this.watchOrders(),
      this.pay(),
      this.read('reads', () => '/api/stock'),
      this.read('reads', () => `/api/products/${skus[0]}`),
      this.read('order reads', () => `/api/orders/status?orders=${this.someOrder() ?? 'none'}`),
    ]);
  }

  /** @param behind The nodes, where `nodes` is an entrance before them: each has to know the store first. */
  static async start(pool: Pool, nodes: () => string[], behind = nodes()): Promise<Traffic> {
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    const store = await fixtures.store();
    const products = await fixtures.products(
      Array.from({ length: 5 }, (_, n) => ({ sku: `M-${n}`, stock: 10_000_000 })),
    );
    const buyer = await signIn({ pool, url: '' }, store.clientId, 'buyer');
    const skus = products.map(({ sku }) => sku);
    await eventually(async () => {
      const answers = behind.map((url) =>
        fetch(`${url}/api/products/${skus[0]}`, { headers: store.headers }),
      );
      return (await Promise.all(answers)).every(({ ok }) => ok);
    });
    return new Traffic(nodes, store, skus, buyer);
  }

  /** Resolves when more orders are confirmed and paid: the service is back. */
  async flows(): Promise<void> {
    const [orders, paid] = [this.orders.acknowledged.size + 50, this.paid.size + 5];
    await eventually(() => this.orders.acknowledged.size > orders && this.paid.size > paid);
  }

  /** Requests so far that a store or a person has to repeat. */
  get failures(): number {
    const orders = [...this.orders.statuses].filter(([status]) => status !== 201);
    return orders.reduce((sum, [, times]) => sum + times, this.failed);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.orders.stop();
    await this.work;
  }

  private node(): string {
    const nodes = this.nodes();
    return nodes[this.turn++ % nodes.length]!;
  }

  private someOrder(): string | undefined {
    return [...this.orders.acknowledged.values()].at(-1);
  }

  private async watchOrders(): Promise<void> {
    for (let known = 0; !this.stopping; await pause(10)) {
      if (this.orders.acknowledged.size > known) this.gaps.orders.success();
      known = this.orders.acknowledged.size;
    }
  }

  /** Repeats a payment until its outcome is known. Pages have a limit, so at the pace of a person. */
  private async pay(): Promise<void> {
    while (!this.stopping) {
      const order = this.someOrder();
      if (!order || this.paid.has(order)) await pause(10);
      else
        do await pause(500);
        while (!this.stopping && !(await this.paysNow(order)));
    }
  }

  private async paysNow(order: string): Promise<boolean> {
    const form = new URLSearchParams({ order, total: TOTAL, balance: '999999999' });
    const answer = await this.ask('/dashboard/pay', [303, 409], {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { Cookie: this.buyer.cookie, 'Sec-Fetch-Site': 'same-origin' },
    });
    // A lost order. It is already noted.
    if (answer?.status === 404) return true;
    const found = answer?.status === 409 ? await this.ask(`/api/orders/${order}/status`) : undefined;
    const isPaid = answer?.status === 303 || found?.body.includes('"payment_status":"paid"') === true;
    if (!isPaid) return false;
    this.paid.add(order);
    this.gaps.payments.success();
    return true;
  }

  private async read(what: 'reads' | 'order reads', path: () => string): Promise<void> {
    while (!this.stopping) {
      const answer = await this.ask(path());
      if (answer?.status === 200) this.gaps[what].success();
      await pause(20);
    }
  }

  private async ask(
    path: string,
    expected = [200],
    init: RequestInit = { headers: this.store.headers },
  ): Promise<{ status: number; body: string } | undefined> {
    try {
      const answer = await fetch(`${this.node()}${path}`, { ...init, signal: AbortSignal.timeout(15_000) });
      const body = await answer.text();
      if (answer.status === 503) this.failed++;
      if (![...expected, 503].includes(answer.status)) this.strange.add(`${path}: ${answer.status} ${body}`);
      return { status: answer.status, body };
    } catch {
      // A node that is killed gives no answer.
      this.failed++;
      return undefined;
    }
  }
}
