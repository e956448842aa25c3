import { actorOf } from '../../../src/modules/audit/actor-of.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { orderDesk } from '../../support/order-desk.js';
import { PackingService } from '../../../src/modules/fulfilment/packing/packing.service.js';
import { orderReturns } from '../../support/order-returns.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder, placeAndMove } from '../../support/order-steps.js';
import { type SignedIn, signInAtDesk } from '../../support/sign-in.js';
import type { TestApp } from '../../support/test-app.js';
import { openShop, placeOrder, type Shop } from './shop.js';

/** A shop, and work for the people of its wholesaler. */
export interface Company extends Shop {
  admin: SignedIn<DeskPerson>;
  packer: SignedIn<DeskPerson>;
  /** A paid order. */
  toShip: string;
  /** The number of a return that waits, and its order. */
  waitingReturn: string;
  returning: string;
  packingList: number;
  /** On the list. */
  toPack: string;
  transfer: number;
}

export async function openCompany(test: TestApp): Promise<Company> {
  const shop = await openShop(test);
  const admin = await signInAtDesk(test);
  const packer = await signInAtDesk(test, 'packer');
  await issueEInvoices(test);
  const toPack = await placePaid(test, shop);
  const packing = test.app.get(PackingService, { strict: false });
  const list = await packing.make(actorOf(packer.person), { limit: 5 });
  const returning = await placePaid(test, shop);
  const parcel = { courier: 'BlueDart', trackingUrl: null, shippedAt: null, trackingNumber: 'BD-7' };
  await orderDesk(test.app).ship(returning, actorOf(packer.person), parcel);
  const returnRequest = { lines: [{ line: 1, quantity: 2 }], reason: 'Wrong item', note: 'blue, not red' };
  const returns = orderReturns(test.app);
  const transfers = test.app.get(BankTransfersService, { strict: false });
  const money = [shop.store.clientId, '2500', 'HDFCN26112200417', 'test', 'Anaya Traders'] as const;
  return {
    ...shop,
    admin,
    packer,
    toShip: await placePaid(test, shop),
    waitingReturn: (await returns.add(returning, returnRequest, actorOf(admin.person))).number,
    returning,
    packingList: list!.id,
    toPack,
    transfer: (await transfers.announce(...money)).transfer_id,
  };
}

/** For a client with a GSTIN: one waits, one cannot be in the file, and one was cancelled. */
async function issueEInvoices(test: TestApp): Promise<void> {
  const store = await test.fixtures.store({ name: 'Bela Stores', state: '29', gstin: '29AAACR5055K1Z3' });
  const address = (text: string) =>
    test.pool.query('UPDATE clients SET billing_address = $1 WHERE id = $2', [text, store.clientId]);
  await address('4, Residency Road, Bengaluru 560025');
  const desk = orderDesk(test.app);
  const parcel = { courier: 'BlueDart', trackingUrl: null, shippedAt: null, trackingNumber: null };
  for (const at of [0, 1, 2]) {
    const number = await placeOrder(test, store, at);
    await moveOrder(test, store, number, 'pay');
    await desk.ship(number, 'test', parcel, undefined, undefined, { withoutIrn: 'the portal is down' });
  }
  await address('4, Residency Road');
  await test.pool.query(`
    ALTER TABLE tax_documents DISABLE TRIGGER append_only;
    UPDATE tax_documents SET facts = jsonb_set(facts, '{client,address}', '"4, Residency Road"')
     WHERE number = (SELECT max(number) FROM e_invoices);
    ALTER TABLE tax_documents ENABLE TRIGGER append_only;
    UPDATE e_invoices
       SET irn = repeat('a', 64), ack_number = '232210036743849', acked_at = now(), signed_qr = 'signed',
           recorded_at = now(), actor = 'test', cancelled_at = now()
     WHERE number = (SELECT min(number) FROM e_invoices)`);
}

export async function placePaid(test: TestApp, { store }: Shop): Promise<string> {
  const items = [
    { sku: 'KURTA-01', quantity: 3 },
    { sku: 'BRASS-07', quantity: 1 },
  ];
  return placeAndMove(test, store, orderBody(items), 'pay');
}
