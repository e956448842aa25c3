import { readSettings } from '../platform/settings/read-settings.js';
import type { Transaction } from '../platform/database/database.js';
import type { TaxDocument } from './entities/tax-document.entity.js';
import type { InvoicesRepository } from './invoices.repository.js';
import { InvoicingService } from './invoicing.service.js';

const SELLER = { name: 'S', gstin: '29AAGCB7383J1Z4', address: 'a', state: '29', receiptVouchers: true };

/** The documents that a top-up gets at this time. The settings have another zone than the law. */
async function issuedAt(now: string): Promise<Pick<TaxDocument, 'number' | 'issuedOn'>[]> {
  const documents: Pick<TaxDocument, 'number' | 'issuedOn'>[] = [];
  const repository: Partial<InvoicesRepository> = {
    seller: () => Promise.resolve({ ...SELLER, id: 1, changedAt: new Date(0) }),
    lockSeller: () => Promise.resolve(SELLER),
    clients: () =>
      Promise.resolve(new Map([[1, { id: 1, name: 'C', gstin: null, state: null, billingAddress: null }]])),
    clock: () => Promise.resolve(new Date(now)),
    countOn: (_, __, counts) =>
      Promise.resolve(new Map([...counts].map(([kind, count]) => [kind, 40 + count]))),
    add: (_, added) => {
      documents.push(...added);
      return Promise.resolve();
    },
  };
  const steps: (() => Promise<void>)[] = [];
  const transaction = { last: (step: () => Promise<void>) => steps.push(step) } as unknown as Transaction;
  const settings = { ...readSettings({}), timeZone: 'UTC' };
  const received = ['a', 'b'].map((key) => ({ key, amount: 100 }));
  await new InvoicingService(repository as InvoicesRepository, settings).confirm(transaction, 1, received);
  expect(documents).toEqual([]);
  for (const step of steps) await step();
  return documents.map(({ number, issuedOn }) => ({ number, issuedOn }));
}

describe('The financial year of a document', () => {
  it('ends with 31 March in India, and the numbers of a batch follow each other', async () => {
    expect(await issuedAt('2027-03-31T18:29:59.999Z')).toEqual([
      { number: 'RV-2627-0000041', issuedOn: '2027-03-31' },
      { number: 'RV-2627-0000042', issuedOn: '2027-03-31' },
    ]);
    expect(await issuedAt('2027-03-31T18:30:00Z')).toEqual([
      { number: 'RV-2728-0000041', issuedOn: '2027-04-01' },
      { number: 'RV-2728-0000042', issuedOn: '2027-04-01' },
    ]);
  });
});
