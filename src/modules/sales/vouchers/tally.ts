import { numericFromMinor } from '../../../platform/money/money.js';
import { STATES } from '../../tax/gst-codes.js';
import type { Ledger, Voucher, VoucherEntry } from './voucher.js';

/**
 * The XML that Tally imports: masters by "Masters", vouchers by "Transactions". Tags and signs follow
 * help.tallysolutions.com/developer-reference: a debit is "deemed positive", and its amount is negative.
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

export function ledgerMessage({ name, group, gstin, state }: Ledger): string {
  const ofClient =
    state === undefined
      ? ''
      : tag('COUNTRYOFRESIDENCE', 'India') +
        tag('LEDSTATENAME', STATES.get(state ?? '')) +
        registration(gstin);
  return (
    `<LEDGER NAME="${escaped(name)}" ACTION="Create"><NAME.LIST>${tag('NAME', name)}</NAME.LIST>` +
    `${tag('PARENT', group)}${ofClient}</LEDGER>`
  );
}

const registration = (gstin: string | null | undefined) =>
  tag('GSTREGISTRATIONTYPE', gstin ? 'Regular' : 'Unregistered') + tag('PARTYGSTIN', gstin);

/** Tally takes a second voucher with this REMOTEID for the same one. */
export function voucherMessage(voucher: Voucher): string {
  const { type, number, day, narration, placeOfSupply, party, entries } = voucher;
  const { ledger } = entries[0]!;
  const id = `wholesale-${number}`;
  return (
    `<VOUCHER REMOTEID="${id}" VCHTYPE="${type}" ACTION="Create" OBJVIEW="Accounting Voucher View">` +
    tag('GUID', id) +
    tag('DATE', day.replaceAll('-', '')) +
    tag('VOUCHERTYPENAME', type) +
    tag('VOUCHERNUMBER', number) +
    tag('PARTYLEDGERNAME', ledger.name) +
    (party === undefined
      ? ''
      : tag('PARTYNAME', party.name) +
        tag('BASICBUYERNAME', party.name) +
        tag('COUNTRYOFRESIDENCE', 'India') +
        tag('STATENAME', STATES.get(party.state)) +
        registration(party.gstin) +
        tag('PLACEOFSUPPLY', placeOfSupply)) +
    tag('NARRATION', narration) +
    entries.map(entryTag).join('') +
    '</VOUCHER>'
  );
}

function entryTag({ ledger, amount }: VoucherEntry, index: number): string {
  return (
    `<ALLLEDGERENTRIES.LIST>${tag('LEDGERNAME', ledger.name)}` +
    tag('ISDEEMEDPOSITIVE', amount > 0 ? 'Yes' : 'No') +
    tag('ISPARTYLEDGER', index === 0 ? 'Yes' : 'No') +
    `${tag('AMOUNT', numericFromMinor(-amount))}</ALLLEDGERENTRIES.LIST>`
  );
}
