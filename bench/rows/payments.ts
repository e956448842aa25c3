import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createApp } from '../../src/host/create-app.js';
import type { OrderKey } from '../../src/orders/entities/order.entity.js';
import { OrderLifecycleService } from '../../src/orders/lifecycle/order-lifecycle.service.js';
import type { Payment } from '../../src/orders/entities/payment.entity.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { newEvent, webhookHeaders } from '../../src/sandbox-gateway/protocol.js';
import { addPayment } from '../../src/sandbox-gateway/sandbox-order.js';
import { SandboxStore } from '../../src/sandbox-gateway/sandbox-store.js';
import { WalletService } from '../../src/wallet/wallet.service.js';
import { Buyer } from '../../test/support/buyer.js';
import { Fixtures } from '../../test/support/fixtures.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { perSecond } from '../figures.js';
import { judge } from '../finding.js';
import { atOnce } from '../load/at-once.js';
import { median } from '../median.js';
import { payByStatements } from '../references/pay-by-statements.js';
import type { Row } from '../row.js';

const WORKERS = 8;
const STORES = 40;
const ORDERS_OF_EACH = 100;
const PAYMENTS = 400;

/** The first turn is a warm-up. */
const TURNS = 4;

/** Creates the application without its server, because these rows do not use the store API. */
function servicesOn({ url }: BenchDatabase, environment: Record<string, string> = {}) {
  return createApp(readSettings({ DATABASE_URL: url, ...environment }), url, { logger: false });
}

/** Returns unpaid orders of stores with enough money in their wallets, in alternating order of stores. */
async function unpaidOrders({ pool }: BenchDatabase, wallets: WalletService): Promise<OrderKey[]> {
  const fixtures = new Fixtures(pool, () => Promise.resolve());
  const { id: planId } = await fixtures.plan({ code: `payments-${randomUUID()}` });
  const clientIds: number[] = [];
  for (let n = 0; n < STORES; n++) {
    const store = await fixtures.store({ planId, domain: `${randomUUID()}.example.com` });
    await fixtures.orders(store, ORDERS_OF_EACH);
    await wallets.adjust(store.clientId, '1000000', 'for the bench', 'bench');
    clientIds.push(store.clientId);
  }
  const { rows } = await pool.query<OrderKey>(
    `SELECT client_id AS "clientId", order_number AS "orderNumber" FROM orders
     WHERE client_id = ANY ($1) ORDER BY order_number, client_id`,
    [clientIds],
  );
  return rows;
}

export const walletPayments: Row = {
  id: 'wallet-payment',
  async measure(bench) {
    const database = await bench.database(10_000);
    const app = await servicesOn(database);
    const pool = new pg.Pool({ connectionString: database.url, max: 10 });
    const payments = app.get(OrderLifecycleService, { strict: false });
    const orders = await unpaidOrders(database, app.get(WalletService, { strict: false }));
    const rates: { own: number; reference: number }[] = [];
    // Both take turns, so that other work on the machine affects them alike.
    const shares = inShares(orders, 2 * TURNS);
    for (let turn = 0; turn < TURNS; turn++) {
      rates.push({
        own: await atOnce(WORKERS, shares[2 * turn]!, (order) => payments.payFromWallet([order], 'bench')),
        reference: await atOnce(WORKERS, shares[2 * turn + 1]!, (order) => payByStatements(pool, order)),
      });
    }
    await pool.end();
    await app.close();
    const measured = rates.slice(1);
    const reference = median(measured.map((rate) => rate.reference));
    return [
      {
        work: `orders paid from ${STORES} wallets, ${WORKERS} at a time`,
        measured: perSecond(median(measured.map(({ own }) => own)), 'orders'),
        against: `the same rows by plain pg: ${perSecond(reference, 'orders')}`,
        ...judge(median(measured.map((rate) => rate.own / rate.reference)), '≥', 0.5),
      },
    ];
  },
};

export const webhooksSettled: Row = {
  id: 'webhook',
  async measure(bench) {
    const database = await bench.database(10_000);
    const { pool } = database;
    const { url } = await bench.service(database, { PAYMENT_GATEWAY: 'sandbox' });
    const app = await servicesOn(database, { PAYMENT_GATEWAY: 'sandbox', PUBLIC_URL: url });
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    const { id: planId } = await fixtures.plan({ code: `webhooks-${randomUUID()}` });
    const buyers: Buyer[] = [];
    for (let n = 0; n < STORES; n++) {
      const { clientId } = await fixtures.store({ planId, domain: `${randomUUID()}.example.com` });
      buyers.push(await Buyer.of({ app, pool }, clientId));
    }
    const payments: Payment[] = [];
    // A repeated amount would return the same payment. A client may have at most 20 open payments.
    const indices = Array.from({ length: PAYMENTS }, (_, index) => index);
    await atOnce(WORKERS, indices, async (index) =>
      payments.push(await buyers[index % STORES]!.topUp(String(100 + index))),
    );
    const sandbox = app.get(SandboxStore, { strict: false });
    const { webhookSecret } = await sandbox.keys();
    await atOnce(WORKERS, payments, ({ gatewayOrderId }) =>
      sandbox.change(gatewayOrderId!, (state) => addPayment(state, 'captured')),
    );
    await app.close();
    const beganAt = performance.now();
    const taken = await atOnce(WORKERS, payments, (payment) => tell(url, payment, webhookSecret));
    while (await anyOpen(database, payments)) await pause(20);
    const settled = (PAYMENTS * 1_000) / (performance.now() - beganAt);
    return [
      {
        work: `gateway events, ${WORKERS} at a time`,
        measured: `${perSecond(settled, 'payments')} settled`,
        against: `taken and answered: ${perSecond(taken, 'events')}; the sandbox answers in the same process`,
        ratio: settled / taken,
        aim: 'reported',
      },
    ];
  },
};

async function tell(url: string, { gatewayOrderId }: Payment, secret: string): Promise<void> {
  const payment = { id: gatewayOrderId!.replace('order_', 'pay_'), order_id: gatewayOrderId };
  const event = newEvent('payment.captured', { payment });
  const headers = webhookHeaders(event, secret);
  const response = await fetch(`${url}/payments/webhook`, { method: 'POST', body: event.body, headers });
  if (response.status !== 200) throw new Error(`An event was answered with ${response.status}.`);
  await response.text();
}

async function anyOpen({ pool }: BenchDatabase, payments: Payment[]): Promise<boolean> {
  const { rows } = await pool.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT FROM payments WHERE payment_id = ANY ($1) AND status <> 'paid') AS open`,
    [payments.map(({ paymentId }) => paymentId)],
  );
  return rows[0]!.open;
}

function inShares<Item>(items: readonly Item[], count: number): Item[][] {
  const size = Math.floor(items.length / count);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
