import { numericFromMinor } from '../../../platform/money/money.js';
import type { Day } from '../../../platform/time/time.js';
import { type GstCategory, STATES } from '../../tax/gst-codes.js';
import { type GstTreatment, isService } from '../../tax/goods-law.js';
import type { Ledger, Voucher, VoucherEntry } from './voucher.js';

/**
 * The XML that Tally imports: masters by "Masters", vouchers by "Transactions". Tags and signs follow
 * help.tallysolutions.com/developer-reference: a debit is "deemed positive", and its amount is negative. Its
 * page "Changes in XML Tags" has those of GST.
 */
type Messages = AsyncIterable<string> | Iterable<string>;

/** Characters that XML 1.0 does not allow. */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) =>
  text.replaceAll(NO_XML, '').replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);

/** Without a value there is no tag. */
const tag = (name: string, value: string | null | undefined) =>
  value ? `<${name}>${escaped(value)}</${name}>` : '';

export async function* tallyFile(
  report: 'All Masters' | 'Vouchers',
  messages: Messages,
): AsyncGenerator<string> {
  yield (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<ENVELOPE><HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER>' +
    `<BODY><IMPORTDATA><REQUESTDESC>${tag('REPORTNAME', report)}</REQUESTDESC><REQUESTDATA>\n`
  );
  for await (const message of messages)
    yield `<TALLYMESSAGE xmlns:UDF="TallyUDF">${message}</TALLYMESSAGE>\n`;
  yield '</REQUESTDATA></IMPORTDATA></BODY></ENVELOPE>\n';
}

export function ledgerMessage({ name, group, tax, gstin, state, category }: Ledger): string {
  const ofClient =
    state === undefined ? '' : tag('LEDSTATENAME', STATES.get(state ?? '')) + registration(gstin, category);
  return (
    `<LEDGER NAME="${escaped(name)}" ACTION="Create"><NAME.LIST>${tag('NAME', name)}</NAME.LIST>` +
    tag('PARENT', group) +
    (tax ? tag('TAXTYPE', 'GST') + tag('GSTDUTYHEAD', DUTY_HEADS[tax]) : '') +
    `${ofClient}</LEDGER>`
  );
}

const DUTY_HEADS = { cgst: 'CGST', sgst: 'SGST/UTGST', igst: 'IGST' };

/** The types of registration in Tally, by the GST category of the client. */
const REGISTRATIONS: Record<GstCategory, string> = {
  sez: 'Regular - SEZ',
  uin: 'Embassy/UN Body',
  government: 'Government entity / TDS',
};

function registration(gstin?: string | null, category?: GstCategory | null): string {
  const type = category ? REGISTRATIONS[category] : gstin ? 'Regular' : 'Unregistered';
  return tag('COUNTRYOFRESIDENCE', 'India') + tag('GSTREGISTRATIONTYPE', type) + tag('PARTYGSTIN', gstin);
}

/** Tally takes a second voucher with this REMOTEID for the same one. */
export function voucherMessage(voucher: Voucher): string {
  const { type, number, day, narration, against, entries } = voucher;
  const id = `wholesale-${number}`;
  return (
    `<VOUCHER REMOTEID="${id}" VCHTYPE="${type}" ACTION="Create" OBJVIEW="Accounting Voucher View">` +
    tag('GUID', id) +
    tag('DATE', dateOf(day)) +
    tag('VOUCHERTYPENAME', type) +
    tag('VOUCHERNUMBER', number) +
    (against ? tag('REFERENCE', against.number) + tag('REFERENCEDATE', dateOf(against.day)) : '') +
    tag('PARTYLEDGERNAME', entries[0]!.ledger.name) +
    gstTags(voucher) +
    tag('NARRATION', narration) +
    entries.map(entryTag).join('') +
    '</VOUCHER>'
  );
}

const dateOf = (day: Day) => day.replaceAll('-', '');

function gstTags({ party, seller, placeOfSupply, isInReturn }: Voucher): string {
  if (!party) return '';
  return (
    tag('PARTYNAME', party.name) +
    tag('BASICBUYERNAME', party.name) +
    tag('STATENAME', STATES.get(party.state)) +
    registration(party.gstin, party.gst_category) +
    tag('PLACEOFSUPPLY', placeOfSupply) +
    tag('CMPGSTIN', seller?.gstin) +
    tag('CMPGSTREGISTRATIONTYPE', 'Regular') +
    tag('CMPGSTSTATE', STATES.get(seller?.state ?? '')) +
    tag('VCHGSTSTATUSISINCLUDED', isInReturn ? 'Yes' : 'No') +
    tag('VCHGSTSTATUSISUNCERTAIN', 'No')
  );
}

function entryTag({ ledger, amount, goods }: VoucherEntry, index: number): string {
  return (
    `<ALLLEDGERENTRIES.LIST>${tag('LEDGERNAME', ledger.name)}` +
    tag('ISDEEMEDPOSITIVE', amount > 0 ? 'Yes' : 'No') +
    tag('ISPARTYLEDGER', index === 0 ? 'Yes' : 'No') +
    tag('AMOUNT', numericFromMinor(-amount)) +
    `${goods ? goodsTags(goods) : ''}</ALLLEDGERENTRIES.LIST>`
  );
}

/** The names of Tally. At the rate 0, taxable goods are nil rated. */
const TAXABILITY: Record<GstTreatment, string> = {
  taxable: 'Nil Rated',
  nil_rated: 'Nil Rated',
  exempt: 'Exempt',
  non_gst: 'Non-GST',
};

/** Each head has its rate, whichever the voucher uses, as in the files that Tally writes. */
function goodsTags({ hsn, rate, treatment }: NonNullable<VoucherEntry['goods']>): string {
  // Each head has its rate, whichever the voucher uses, as in the files that Tally writes.
  const rates = { CGST: rate / 2, 'SGST/UTGST': rate / 2, IGST: rate };
  return (
    tag('GSTHSNNAME', hsn) +
    tag('GSTOVRDNTAXABILITY', rate === 0 ? TAXABILITY[treatment] : 'Taxable') +
    tag('GSTOVRDNTYPEOFSUPPLY', isService(hsn) ? 'Services' : 'Goods') +
    Object.entries(rates)
      .map(
        ([head, percent]) =>
          `<RATEDETAILS.LIST>${tag('GSTRATEDUTYHEAD', head)}` +
          tag('GSTRATEVALUATIONTYPE', 'Based on Value') +
          `${tag('GSTRATE', String(percent))}</RATEDETAILS.LIST>`,
      )
      .join('')
  );
}
