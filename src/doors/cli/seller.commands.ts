import { SELLER_FIELDS, SELLER_NAMES } from '../../invoices/seller-fields.js';
import type { SellerShown } from '../../invoices/sellers.service.js';
import { stateName } from '../../tax/gstin.js';
import type { CliCommand } from './command.js';

export function addSellerCommands(program: CliCommand): void {
  const seller = program.group('seller', 'the seller on the invoices: the wholesaler');

  seller
    .add('set', 'Sets the given values of the seller. From the first time on, shipments get invoices.')
    .fields(SELLER_FIELDS, ['name', 'gstin', 'address', 'state', 'from'])
    .choice('--receipt-vouchers <choice>', 'whether each top-up gets a receipt voucher', ['yes', 'no'])
    .by()
    .changes(SELLER_NAMES)
    .does(async ({ sellers }, { by, ...change }) => {
      const shown = await sellers.set(change, by);
      return { json: shown, text: describe(shown) };
    });

  seller.add('show', 'Shows the seller, and how much tax data is missing.').does(async ({ sellers }) => {
    const shown = await sellers.show();
    const {
      seller: now,
      coming,
      products_without_tax_data: products,
      clients_without_tax_data: clients,
    } = shown;
    const text = [
      now ? describe(now) : 'There is no seller, so there are no invoices. See "seller set".\n',
      coming && `From ${coming.since}:\n${describe(coming)}`,
      products > 0 && `Active products without HSN code or rate: ${products}. See "catalog import".\n`,
      clients > 0 && `Clients without state or billing address: ${clients}. See "client set".\n`,
      products + clients > 0 && 'Their parcels are refused while there is a seller.\n',
    ];
    return { json: shown, text: text.filter(Boolean).join('') };
  });
}

function describe({ name, gstin, address, state, receipt_vouchers: vouchers }: SellerShown): string {
  const receipts = vouchers ? 'Top-ups get receipt vouchers.' : 'Top-ups get no receipt vouchers.';
  return `Seller: ${name}, ${address}.\nGSTIN: ${gstin}. State: ${stateName(state)}.\n${receipts}\n`;
}
