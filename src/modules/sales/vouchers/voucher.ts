import { BILLED_SIGN } from '../../invoices/rules/document-number.js';
import { type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import type { Day } from '../../../platform/time/time.js';
import type { GstTreatment } from '../../tax/goods-law.js';
import { type GstCategory, STATES } from '../../tax/gst-codes.js';
import type { LedgerAccount } from '../../wallet/rules/posting.js';
import {
  LEDGER_FIELDS,
  type LedgerName,
  type LedgerNames,
  salesLedgerName,
  STANDARD_NAMES,
} from './ledger-names.js';

/** A ledger of Tally: its name, its group, and for a client the data that its vouchers repeat. */
export interface Ledger extends Partial<Omit<VoucherClient, 'clientId' | 'client'>> {
  name: string;
  /** Undefined if the ledger stands in Tally already: from the start, or with a name of the wholesaler. */
  group: string | undefined;
  /** For a tax: its head. */
  tax?: Tax;
}

export interface VoucherEntry {
  ledger: Ledger;
  /** Debits are positive, credits negative. */
  amount: Minor;
  /** The goods of a sale, as the return of Tally needs them. */
  goods?: { hsn: string; rate: number; treatment: GstTreatment };
}

type Tax = 'cgst' | 'sgst' | 'igst';

/** A voucher of Tally. The first entry is the client's; all entries add up to zero. */
export interface Voucher {
  type: (typeof TYPES)[DocumentRow['kind']] | 'Receipt' | 'Payment' | 'Journal';
  /** Unique in all months. */
  number: string;
  day: Day;
  narration: string;
  /** Only documents have these. */
  placeOfSupply?: string;
  party?: Party;
  seller?: DocumentRow['seller'];
  /** The invoice that a note changes. */
  against?: { number: string; day: Day };
  /** For the return of Tally. A commercial note changes no tax, so it stands in none. */
  isInReturn?: boolean;
  entries: VoucherEntry[];
}

/** The client as its document names it. */
interface Party {
  name: string;
  gstin: string | null;
  /** The code of a state. */
  state: string;
  /** Absent for an ordinary client. */
  gst_category?: GstCategory;
}

interface VoucherClient {
  clientId: number;
  client: string;
  gstin: string | null;
  state: string | null;
  category: GstCategory | null;
}

/** An issued document; amounts are numeric text. */
export interface DocumentRow extends VoucherClient {
  kind: keyof typeof TYPES;
  number: string;
  day: Day;
  orderNumber: string;
  against: string | null;
  againstDay: Day | null;
  /** A note after the time for a credit of tax. */
  isWithoutTax: boolean;
  placeOfSupply: string;
  /** The day on which the goods left, if it was earlier. */
  suppliedOn: Day | null;
  party: Party;
  seller: { gstin: string; state: string };
  cgst: string;
  sgst: string;
  igst: string;
  /** The taxable value of each rate and HSN code. */
  rates: { rate: number; treatment: GstTreatment; hsn: string; taxable: string }[];
}

/** Money that came into a client's wallet from outside, or left it. */
export interface MoneyRow extends VoucherClient {
  entry: string;
  day: Day;
  /** Cash for an order is posted against the bank. */
  against: Exclude<LedgerAccount, 'sales'> | 'cash';
  amount: string;
  note: string | null;
}

/** A refund on its way back: the gateway takes it from its next payout. */
const OTHER_SIDE = {
  gateway: 'gateway',
  in_transit: 'gateway',
  bank: 'bank',
  cash: 'cash',
  tds: 'tds',
  adjustments: 'adjustments',
} as const satisfies Record<MoneyRow['against'], LedgerName>;

function ledgerOf(names: LedgerNames, of: LedgerName, name = names[of]): Ledger {
  const isStandard = names[of] === STANDARD_NAMES[of];
  return { name, group: isStandard ? LEDGER_FIELDS[of].group : undefined };
}

/** A commercial note has a ledger of its own: on those of the rates, sales and tax would no longer match. */
function soldLedger(names: LedgerNames, { isWithoutTax }: DocumentRow, rate: number): Ledger {
  if (isWithoutTax) return ledgerOf(names, 'lateCredits');
  return rate === 0 ? ledgerOf(names, 'exempt') : ledgerOf(names, 'sales', salesLedgerName(names, rate));
}

const TYPES = { invoice: 'Sales', credit_note: 'Credit Note', debit_note: 'Debit Note' } as const;

/** An invoice or a debit note debits the client; a credit note has the other sign. */
export function voucherOfDocument(row: DocumentRow, names = STANDARD_NAMES): Voucher {
  const sign = BILLED_SIGN[row.kind];
  const sold = row.rates.map(({ taxable, ...goods }) => ({
    ledger: soldLedger(names, row, goods.rate),
    amount: -sign * minorFromNumeric(taxable),
    ...(!row.isWithoutTax && { goods }),
  }));
  const taxed = (['cgst', 'sgst', 'igst'] as const).map((tax) => ({
    ledger: { ...ledgerOf(names, tax), tax },
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
    seller: row.seller,
    ...(row.against !== null && { against: { number: row.against, day: row.againstDay! } }),
    isInReturn: !row.isWithoutTax,
    entries: [clientEntry(row, others), ...others],
  };
}

/**
 * Payments of orders from the wallet are no vouchers: wallet and debts of a client are one ledger, so its
 * balance is the debt less the wallet.
 */
export function voucherOfMoney(row: MoneyRow, names = STANDARD_NAMES): Voucher {
  const amount = minorFromNumeric(row.amount);
  const other = { ledger: ledgerOf(names, OTHER_SIDE[row.against]), amount };
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

function clientEntry(row: VoucherClient, others: VoucherEntry[]): VoucherEntry {
  const { clientId, client, gstin, state, category } = row;
  const ledger = { name: `${client} (${clientId})`, group: 'Sundry Debtors', gstin, state, category };
  return { ledger, amount: -others.reduce((sum, { amount }) => sum + amount, 0) };
}
