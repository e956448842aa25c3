import { resolveVariation } from '../../products/rules/resolve-variation.js';
import type { ImportSession } from '../../imports/import-session.js';
import { GOOD, STAGED } from '../../imports/import-tables.js';
import { type Variation, variationKeys } from '../../read-model/products/variations.js';

const PAGE = 1_000;

/** A key that stands there as it is needs no reading: that is every row of an export, and it is SQL. */
export const NAME_KEYS = `
  CREATE TEMP TABLE named AS
  SELECT g.line, p.id AS product_id, p.variations <> '[]' AS varies, i.variation_key AS key
    FROM ${GOOD} g
    LEFT JOIN products p ON p.sku = g.sku
    LEFT JOIN stock_items i ON i.product_id = p.id AND i.variation_key = g.variation;
  CREATE INDEX ON named (line) WHERE key IS NULL AND varies;
  CREATE TEMP TABLE resolved (line integer NOT NULL, key text NOT NULL);`;

const NEXT = `
  SELECT n.line, s.variation AS text, p.variations
    FROM named n JOIN ${STAGED} s USING (line) JOIN products p ON p.id = n.product_id
   WHERE n.line > $1 AND n.key IS NULL AND n.varies
   ORDER BY n.line
   LIMIT ${PAGE}`;

const KEEP = 'INSERT INTO resolved SELECT * FROM unnest($1::int[], $2::text[])';

/** The other texts are read like those of a store's order: `Red / M`, `Size: M, Color: Red`. */
export async function resolveTexts(session: ImportSession): Promise<void> {
  for (let after = 0; ;) {
    const page = await session.query<{ line: number; text: string; variations: Variation[] }>(NEXT, [after]);
    const read = page.flatMap(({ line, text, variations }) => {
      const resolved = resolveVariation(variations, variationKeys(variations), text);
      return 'key' in resolved ? [{ line, key: resolved.key }] : [];
    });
    await session.query(KEEP, [read.map(({ line }) => line), read.map(({ key }) => key)]);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.line;
  }
}
