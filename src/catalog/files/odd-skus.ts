import { addFaults, asked, DROP_FAULTY, STAGED, WORK } from '../../imports/import-tables.js';
import { WAS } from '../../imports/what-it-was.js';

/*
 * What spreadsheets do to a SKU makes another one of it, which an import would create beside the real one: leading zeros are dropped, long
 * numbers rounded, broken references written out. So a new SKU that looks like that is named, and created only if it was meant.
 */

/** Blanks and dashes of all kinds. */
const SEPARATORS = ' \u00A0-_\u2010\u2011\u2012\u2013\u2014\u2212';

/** What is left of a SKU without what people and spreadsheets change by mistake: case, blanks, dashes, zeros that lead a number. */
function gist(sku: string): string {
  return `regexp_replace(translate(upper(${sku}), '${SEPARATORS}', ''), '(^|[^0-9])0+(?=[0-9])', '\\1', 'g')`;
}

/** `8.90123E+12`, as a long number is shown in a narrow column. */
const SHORTENED_NUMBER = '^[0-9]+([.,][0-9]+)?E[+-][0-9]+$';

/** `#REF!` and its like in any language, and what would have been calculated. */
const ERROR_OR_FORMULA = '^(=|#N/A|#NV|#[^[:lower:][:space:]]+[!?])';

const IF_MEANT = 'if it is meant as it is, say so with --accept-new or --force';

/** All products are compared with all new rows, but only where there are any. */
const FIND_LOOKALIKES = `
  CREATE TEMP TABLE lookalikes AS
  SELECT w.line, min(p.sku) AS sku
    FROM ${WORK} w JOIN ${STAGED} s USING (line) JOIN products p ON ${gist('p.sku')} = ${gist('s.sku')}
   WHERE w.is_new AND EXISTS (SELECT FROM ${WORK} WHERE is_new)
   GROUP BY w.line;`;

export const REFUSE_ODD_SKUS = `
  ${FIND_LOOKALIKES}
  ${addFaults(`
    SELECT line, 'sku', CASE WHEN ${asked('update_only')} THEN oddity ELSE oddity || ': ${IF_MEANT}' END
      FROM (SELECT w.line, s.sku, CASE
                     WHEN ${asked('update_only')} THEN 'is no product yet, and none is to be created'
                     WHEN s.sku ~* '${SHORTENED_NUMBER}' THEN 'looks like a long number that a spreadsheet has shortened'
                     WHEN s.sku ~ '${ERROR_OR_FORMULA}' THEN 'looks like a formula or an error of a spreadsheet'
                     WHEN l.sku IS NOT NULL THEN format('would be a new product, but differs from %s only by case, leading zeros, blanks or dashes', l.sku)
                     WHEN s.${WAS} IS NOT NULL THEN 'was exported, but there is no such product now; perhaps the SKU was edited' END AS oddity
              FROM ${WORK} w JOIN ${STAGED} s USING (line) LEFT JOIN lookalikes l USING (line)
             WHERE w.is_new) AS new
     WHERE oddity IS NOT NULL AND (${asked('update_only')} OR NOT (${asked('force')} OR sku = ANY (${asked('accept_new')}::text[])))`)}
  ${DROP_FAULTY}`;
