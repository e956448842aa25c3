/** The facts of the recipient on an invoice (Rule 46(d) and (e)). A GSTIN includes the state. */
const WORDS = { state: 'GSTIN or state', billingAddress: 'billing address' } as const;

/** The columns that must be filled. A client always has a name. */
export const INVOICE_NEEDS = Object.keys(WORDS) as (keyof typeof WORDS)[];

/** The consequence of missing data, for its page. */
export const missingDataNotice = (missing: string): string =>
  `Its parcels cannot leave: an invoice needs its ${missing}.`;

/** The missing data of a client for an invoice, such as "GSTIN or state, and billing address". */
export function missingInvoiceData(client: Record<keyof typeof WORDS, string | null>): string | undefined {
  const missing = INVOICE_NEEDS.filter((need) => client[need] === null).map((need) => WORDS[need]);
  return missing.length === 0 ? undefined : missing.join(', and ');
}
