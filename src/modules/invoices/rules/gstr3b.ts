import { minorFromNumeric, numericFromMinor } from '../../../platform/money/money.js';
import { isUin } from '../../tax/gstin.js';
import { groupRows, type Gstr1File, type Gstr1Rows, isZeroRated, type SectionRow } from './gstr1.js';
import { AMOUNTS, EXEMPT, NIL, NON_GST, PLACE, SUMMARY_COLUMNS } from './gstr1-names.js';

/** Tables 3.1 and 3.2 of GSTR-3B, from the rows of GSTR-1, less the credit notes. */
export function gstr3bSummary(rows: Gstr1Rows, gstin: string): Gstr1File {
  const taxed = [...rows.b2b, ...rows.b2cl, ...rows.b2cs, ...rows.cdnr, ...rows.cdnur];
  const interState = (supplies: string, all: SectionRow[]) =>
    groupRows(
      all.filter((row) => !row[PLACE]!.startsWith(gstin.slice(0, 2))),
      (row) => ({ place: row[PLACE] }),
      (own) => ({ Table: '3.2', Supplies: supplies, [PLACE]: own[0]![PLACE]!, ...sumOf(own) }),
    ).sort((a, b) => a[PLACE]!.localeCompare(b[PLACE]!));
  const toUinHolders = [...rows.b2b, ...rows.cdnr].filter((row) => isUin(row['GSTIN/UIN of Recipient']!));
  const untaxed = (...names: string[]) =>
    sumOf(names.flatMap((name) => rows.exemp.map((row) => ({ [AMOUNTS[0]!]: row[name]! }))));
  const lines: SectionRow[] = [
    {
      Table: '3.1(a)',
      Supplies: 'Taxable, not zero rated',
      ...sumOf(taxed.filter((row) => !isZeroRated(row))),
    },
    { Table: '3.1(b)', Supplies: 'Zero rated', ...sumOf(taxed.filter(isZeroRated)) },
    { Table: '3.1(c)', Supplies: 'Nil rated, exempted', ...untaxed(NIL, EXEMPT) },
    { Table: '3.1(e)', Supplies: 'Non-GST', ...untaxed(NON_GST) },
    ...interState('Inter-State to unregistered persons', [...rows.b2cl, ...rows.b2cs, ...rows.cdnur]),
    ...interState('Inter-State to UIN holders', toUinHolders),
  ];
  return { name: 'gstr3b', columns: SUMMARY_COLUMNS, rows: lines.map((line) => ({ [PLACE]: '', ...line })) };
}

function sumOf(rows: readonly SectionRow[]): SectionRow {
  const signed = (row: SectionRow, name: string) =>
    (row['Note Type'] === 'C' ? -1 : 1) * minorFromNumeric(row[name] ?? '0.00');
  const sums = AMOUNTS.map((name) => rows.reduce((sum, row) => sum + signed(row, name), 0));
  return Object.fromEntries(AMOUNTS.map((name, at) => [name, numericFromMinor(sums[at]!)]));
}
