import type { LineQuantity } from '../../orders/rules/order-units.js';

/** One product of a parcel, with the units to pack. */
export interface Goods {
  sku: string;
  variation: string;
  /** Empty: not known. */
  barcode: string;
  units: number;
}

export type PackedGoods<Row extends Goods> = Row & {
  /** Units that are in the parcel. */
  inside: number;
};

/** The packed goods, in the order of the list: "2 MUG-350". One text, so that a URL can hold it. */
export type ParcelContents = string;

interface PackingStep<Row extends Goods> {
  goods: PackedGoods<Row>[];
  contents: ParcelContents;
  /** Why the last code was refused, for people. */
  refusal?: string;
}

/** The code of goods for a button: their SKU alone may name several variations. */
export const codeOf = ({ sku, variation }: { sku: string; variation: string | null }) =>
  variation ? `${sku} ${variation}` : sku;

/** Puts one unit of a scanned code into the parcel, or all units of the goods that were ticked. */
export function packGoods<Row extends Goods>(
  goods: readonly Row[],
  before: ParcelContents,
  { scanned = '', ticked = '' }: { scanned?: string | undefined; ticked?: string | undefined },
): PackingStep<Row> {
  const inside = parseContents(before);
  const rows = goods.map((row) => ({ ...row, inside: Math.min(row.units, inside.get(codeOf(row)) ?? 0) }));
  for (const row of rows) if (ticked === codeOf(row)) row.inside = row.inside < row.units ? row.units : 0;
  const refusal = scanned === '' ? undefined : packScanned(rows, scanned);
  const contents = rows
    .filter((row) => row.inside > 0)
    .map((row) => `${row.inside} ${codeOf(row)}`)
    .join('\n');
  return { goods: rows, contents, ...(refusal !== undefined && { refusal }) };
}

/** The units of each line that are in the parcel. Undefined if nothing is. */
export function packedUnits(
  items: readonly { line: number; sku: string; variation: string | null }[],
  lines: readonly LineQuantity[],
  contents: ParcelContents,
): LineQuantity[] | undefined {
  const inside = parseContents(contents);
  if (inside.size === 0) return undefined;
  return lines.map(({ line, quantity }) => {
    const code = codeOf(items.find((item) => item.line === line)!);
    const left = inside.get(code) ?? 0;
    inside.set(code, Math.max(0, left - quantity));
    return { line, quantity: Math.min(left, quantity) };
  });
}

function packScanned(rows: PackedGoods<Goods>[], code: string): string | undefined {
  const foldedCode = code.toLowerCase();
  const matching = rows.filter((row) =>
    [row.sku, row.barcode, codeOf(row)].some((one) => one !== '' && one.toLowerCase() === foldedCode),
  );
  if (matching.length === 0) return `${code} is not in this order.`;
  const open = matching.find((row) => row.inside < row.units);
  if (!open) {
    const units = matching.reduce((sum, row) => sum + row.units, 0);
    const packed = units === 1 ? `${code} is` : `All ${units} units of ${code} are`;
    return `${packed} already in the parcel.`;
  }
  open.inside += 1;
  return undefined;
}

function parseContents(contents: ParcelContents): Map<string, number> {
  return new Map(
    contents.split(/\r?\n/).flatMap((line) => {
      const [, count, code] = /^(\d{1,6}) (.+)$/.exec(line) ?? [];
      return code === undefined ? [] : [[code, Number(count)] as const];
    }),
  );
}
