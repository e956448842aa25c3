import { BILLED_SIGN } from './rules/document-number.js';

/** SQL: what a document adds to the billed amount, or takes from it. The alias is that of `tax_documents`. */
export const billedAmount = (alias: string, amount = `${alias}.gross`): string => {
  const signs = Object.entries(BILLED_SIGN).map(([kind, sign]) => `WHEN '${kind}' THEN ${sign}`);
  return `(${amount} * CASE ${alias}.kind ${signs.join(' ')} END)`;
};
