import { BILLED_SIGN, type DocumentKind } from '../../invoices/rules/document-number.js';
import { type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import type { Day } from '../../../platform/time/time.js';
import { STATES } from '../../tax/gst-codes.js';
import type { LedgerAccount } from '../../wallet/rules/posting.js';

/** A ledger of Tally: its name, its group, and for a client the data that its vouchers repeat. */
export interface Ledger {
  name: string;
  group: string;
  gstin?: string | null;
  state?: string | null;
}

export interface VoucherEntry {
  ledger: Ledger;
  /** Debits are positive, credits negative. */
  amount: Minor;
}

/** A voucher of Tally. The first entry is the client's; all entries add up to zero. */
export interface Voucher {
  type: (typeof TYPES)[DocumentRow['kind']] | 'Receipt' | 'Payment' | 'Journal';
  /** Unique in all months. */
  number: string;
  day: Day;
  narration: string;
  /** Only documents have them. */
  placeOfSupply?: string;
  party?: Party;
  entries: VoucherEntry[];
}

/** The client as its document names it. */
interface Party {
  name: string;
  gstin: string | null;
  /** The code of a state. */
  state: string;
}

interface VoucherClient {
  clientId: number;
  client: string;
  gstin: string | null;
  state: string | null;
}

/** An issued document; amounts are numeric text. */
export interface DocumentRow extends VoucherClient {
  kind: Exclude<DocumentKind, 'receipt_voucher' | 'refund_voucher'>;
  number: string;
  day: Day;
  orderNumber: string;
  against: string | null;
  /** A note after the time for a credit of tax. */
  isWithoutTax: boolean;
  placeOfSupply: string;
  /** The day on which the goods left, if it was earlier. */
  suppliedOn: Day | null;
  party: Party;
  cgst: string;
  sgst: string;
  igst: string;
  /** What each rate taxes. */
  rates: { rate: number; taxable: string }[];
}

/** Money that came into a client's wallet from outside, or left it. */
export interface MoneyRow extends VoucherClient {
  entry: string;
  day: Day;
  against: Exclude<LedgerAccount, 'sales'>;
  amount: string;
  note: string | null;
}

const TAX = 'Duties & Taxes';

const OTHER_SIDE: Record<MoneyRow['against'], Ledger> = {
  gateway: { name: 'Payment gateway', group: 'Bank Accounts' },
  // A refund on its way back; the gateway takes it from its next payout.
  in_transit: { name: 'Payment gateway', group: 'Bank Accounts' },
  bank: { name: 'Bank', group: 'Bank Accounts' },
  tds: { name: 'TDS receivable', group: 'Current Assets' },
  adjustments: { name: 'Wallet corrections', group: 'Indirect Expenses' },
};

/** A ledger of its own: on the ledgers of the rates, sales and tax would no longer match. */
const LATE_CREDITS = 'Credits without tax';

const salesLedger = (rate: number) => (rate === 0 ? 'Sales exempt' : `Sales ${rate}%`);

const TYPES = { invoice: 'Sales', credit_note: 'Credit Note', debit_note: 'Debit Note' } as const;

/** An invoice or a debit note debits the client; a credit note has the other sign. */
export function voucherOfDocument(row: DocumentRow): Voucher {
  const sign = BILLED_SIGN[row.kind];
  const sold = row.rates.map(({ rate, taxable }) => ({
    ledger: { name: row.isWithoutTax ? LATE_CREDITS : salesLedger(rate), group: 'Sales Accounts' },
    amount: -sign * minorFromNumeric(taxable),
  }));
  const taxed = (['cgst', 'sgst', 'igst'] as const).map((tax) => ({
    ledger: { name: tax.toUpperCase(), group: TAX },
    amount: -sign * minorFromNumeric(row[tax]),
  }));
  const others = [...sold, ...taxed].filter(({ amount }) => amount !== 0);
  return {
    type: TYPES[row.kind],
    number: row.number,
    day: row.day,
    narration: [
      `Order ${row.orderNumber}`,
      ...(row.against === null ? [] : [row.against]),
      ...(row.suppliedOn === null ? [] : [`goods left on ${row.suppliedOn}`]),
    ].join(', '),
    placeOfSupply: STATES.get(row.placeOfSupply),
    party: row.party,
    entries: [clientEntry(row, others), ...others],
  };
}

/**
 * Payments of orders from the wallet are no vouchers: wallet and debts of a client are one ledger, so its
 * balance is the debt less the wallet.
 */
export function voucherOfMoney(row: MoneyRow): Voucher {
  const amount = minorFromNumeric(row.amount);
  const other = { ledger: OTHER_SIDE[row.against], amount };
  const moved = amount > 0 ? 'Receipt' : 'Payment';
  return {
    // Only money of a bank is a receipt or a payment.
    type: row.against === 'adjustments' || row.against === 'tds' ? 'Journal' : moved,
    number: `W${row.clientId}-${row.entry}`,
    day: row.day,
    narration: row.note ?? '',
    entries: [clientEntry(row, [other]), other],
  };
}

function clientEntry({ clientId, client, ...tax }: VoucherClient, others: VoucherEntry[]): VoucherEntry {
  const ledger = {
    name: `${client} (${clientId})`,
    group: 'Sundry Debtors',
    gstin: tax.gstin,
    state: tax.state,
  };
  return { ledger, amount: -others.reduce((sum, { amount }) => sum + amount, 0) };
}
