export const PACKING_COLUMNS = [
  'order_number',
  'placed_at',
  'customer_name',
  'customer_phone',
  'address',
  'city',
  'state',
  'pincode',
  'country',
  'sku',
  'name',
  'variation',
  'quantity',
  'notes',
] as const;

/** A line of an order with where it goes, a cell for each column. */
export type PackingLine = Record<Exclude<(typeof PACKING_COLUMNS)[number], 'quantity'>, string> & {
  quantity: number;
};

/**
 * A spreadsheet takes a cell that begins like this for a formula (OWASP, "CSV Injection"), after white space too. Japanese and Chinese
 * ones take the full-width signs for the same, so a cell is judged by its compatible form. A phone number does no harm.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@])/;
const PHONE_NUMBER = /^[+-]?[\d ().-]+$/;

/** What others typed is not to be run by the wholesaler's spreadsheet: an apostrophe makes it text. */
export async function* packingRows<Line extends Record<string, string | number>>(
  lines: AsyncIterable<Line>,
): AsyncGenerator<Line> {
  for await (const line of lines) {
    const guarded = Object.entries<string | number>(line).map(([column, cell]) => [column, guard(cell)]);
    yield Object.fromEntries(guarded) as Line;
  }
}

function guard(cell: string | number): string | number {
  return typeof cell === 'string' && FORMULA.test(cell.normalize('NFKC')) && !PHONE_NUMBER.test(cell)
    ? `'${cell}`
    : cell;
}
