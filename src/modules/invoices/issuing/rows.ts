import type { Transaction } from '../../../platform/database/database.js';
import { sum } from '../../../platform/lists/group-by.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import type { DocumentFacts, TaxDocument, TaxDocumentItem } from '../entities/tax-document.entity.js';
import type { InvoicesRepository } from '../invoices.repository.js';
import { isVoucher } from '../rules/document-number.js';
import { sumOfParts } from '../rules/tax.js';
import type { Draft, Issue } from './drafts.js';

/** Writes the documents with their items. Those that need an IRN wait for it. */
export async function writeRows(
  documents: InvoicesRepository,
  transaction: Transaction,
  issued: readonly (Draft & Issue)[],
  logo: string | null,
): Promise<void> {
  await documents.add(
    transaction,
    issued.map((draft) => toDocument(draft, logo)),
    issued.flatMap(toItems),
    issued.filter(needsIrn).map(({ number }) => number),
  );
}

/** A bill of supply needs no IRN. The portal registers no note of an invoice whose IRN was cancelled. */
export function needsIrn({ kind, facts, items, against }: Draft): boolean {
  const mayHaveOne = !isVoucher(kind) && facts.client.gstin !== null && !against?.isIrnCancelled;
  return mayHaveOne && items.some(({ rate }) => rate > 0);
}

export function toDocument(
  { items, against, facts: { replaces, ...facts }, ...head }: Draft & Issue,
  logo: string | null = null,
): TaxDocument {
  const invoice = against ? { number: against.number!, issued_on: against.issuedOn! } : null;
  return {
    ...head,
    ...sumAmounts(items),
    against: invoice?.number ?? null,
    facts: {
      ...facts,
      seller: withLogo(facts.seller, logo),
      // A note has the facts of its invoice, which may itself replace another one.
      ...(!invoice && replaces && { replaces }),
      against: invoice,
    },
  };
}

/** A document has the logo of its own day, even if it has copied the other facts of its invoice. */
export function withLogo({ logo: _, ...seller }: DocumentFacts['seller'], logo: string | null) {
  return { ...seller, ...(logo !== null && { logo }) };
}

export function toItems({ number, items }: Draft & Issue): TaxDocumentItem[] {
  return items.map((item, at) => {
    const { line, ofPosition = null, description, sku, hsn, unit, quantity, treatment: gstTreatment } = item;
    const copied = { line, ofPosition, description, sku, hsn, unit, quantity, gstTreatment };
    const [unitPrice, gstRate] = [numericFromMinor(item.unitPrice), numericFromMinor(item.rate)];
    return { number, position: at + 1, ...copied, unitPrice, gstRate, ...sumAmounts([item]) };
  });
}

function sumAmounts(items: Draft['items']) {
  const sums = { ...sumOfParts(items), gross: sum(items, ({ gross }) => gross) };
  const amounts = Object.entries(sums).map(([name, amount]) => [name, numericFromMinor(amount)]);
  return Object.fromEntries(amounts) as Record<keyof typeof sums, string>;
}
