import type { INestApplicationContext } from '@nestjs/common';
import { openServices } from '../../src/cli/local/open-services.js';
import type { Payment } from '../../src/modules/orders/entities/payment.entity.js';
import { readSettings } from '../../src/platform/settings/settings.js';
import { WalletService } from '../../src/modules/wallet/wallet.service.js';
import { WalletBooks } from '../../src/modules/payments/wallet-books.repository.js';
import { contradictions } from '../support/books.js';
import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { setUpDatabase } from '../support/suite-database.js';
import { orderBody } from '../support/order-body.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { StubRazorpay } from '../support/stub-razorpay.js';

const KILLS = 5;

const WAITS = `
  SELECT FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%order_timeline%'`;

describe('A service that is killed during a payment', () => {
  const database = setUpDatabase();
  let razorpay: StubRazorpay;
  let service: ServiceProcess;
  /** Begins payments beside the service, like another node. */
  let product: INestApplicationContext;
  let store: Store;
  let sku: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    razorpay = await StubRazorpay.start();
    environment = { DATABASE_URL: database.url, ...razorpay.environment };
    product = await openServices(readSettings(environment), database.url);
    store = await database.fixtures.store();
    ({ sku } = await database.fixtures.product({ basePrice: '100.00', stock: 1_000 }));
    service = await ServiceProcess.start(environment);
  });

  afterAll(async () => {
    await ServiceProcess.killAll();
    await product.close();
    await razorpay.close();
  });

  async function begin(): Promise<Payment> {
    const response = await fetch(`${service.url}/api/orders`, {
      method: 'POST',
      headers: { ...store.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(orderBody([{ sku, quantity: 1 }])),
    });
    const { order_number: number } = (await response.json()) as { order_number: string };
    const buyer = await Buyer.of({ app: product, pool: database.pool }, store.clientId);
    const payment = await buyer.pay(number);
    razorpay.capture(payment!.gatewayOrderId!);
    return payment!;
  }

  const ways: Record<string, (payment: Payment) => Promise<void>> = {
    'between the answer of the gateway and ours': async ({ gatewayOrderId }) => {
      razorpay.answered = () => service.signal('SIGKILL');
      await razorpay.sendEvent(service.url, gatewayOrderId!);
      await service.ended;
      razorpay.answered = () => undefined;
    },
    'between posting and commit': async ({ gatewayOrderId }) => {
      const holder = await database.pool.connect();
      await holder.query('BEGIN; LOCK TABLE order_timeline IN EXCLUSIVE MODE');
      await razorpay.sendEvent(service.url, gatewayOrderId!);
      await eventually(async () => (await database.pool.query(WAITS)).rowCount === 1);
      await service.end();
      await holder.query('ROLLBACK');
      holder.release();
    },
    'right after it has taken the event': async ({ gatewayOrderId }) => {
      expect((await razorpay.sendEvent(service.url, gatewayOrderId!)).status).toBe(200);
      await service.end();
    },
  };

  it.each(Object.entries(ways))(
    '%s: loses and doubles nothing, and its successor completes the payment',
    async (when, kill) => {
      for (let n = 0; n < KILLS; n++) {
        const payment = await begin();
        await kill(payment);
        service = await ServiceProcess.start(environment);
        // Ends the lease of the killed service.
        const { paymentId } = payment;
        await database.pool.query('UPDATE payments SET next_check_at = now() WHERE payment_id = $1', [
          paymentId,
        ]);
        await eventually(async () => (await statusOf(paymentId)) === 'paid, pending');
        // A repeated event changes nothing.
        await razorpay.sendEvent(service.url, payment.gatewayOrderId!);
      }
      expect(await product.get(WalletBooks, { strict: false }).check()).toEqual([]);
      expect(await contradictions(database.pool)).toEqual([]);
      expect(await product.get(WalletService, { strict: false }).show(store.clientId)).toMatchObject({
        balance: 0,
      });
      const { rows } = await database.pool.query<{ entries: number; payments: number }>(
        `SELECT (SELECT count(*)::int FROM wallet_entries) AS entries,
                (SELECT count(*)::int FROM payments) AS payments`,
      );
      expect(rows[0]!.entries).toBe(2 * rows[0]!.payments);
      printFigures('killed while being paid', { when, kills: KILLS, 'payments so far': rows[0]!.payments });
    },
  );

  async function statusOf(paymentId: string): Promise<string> {
    const { rows } = await database.pool.query<{ status: string }>(
      `SELECT p.status || ', ' || o.status AS status
         FROM payments p JOIN payment_orders USING (client_id, payment_id)
              JOIN orders o USING (client_id, order_number)
        WHERE p.payment_id = $1`,
      [paymentId],
    );
    return rows[0]!.status;
  }
});
