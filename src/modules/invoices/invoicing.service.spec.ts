import { Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { readSettings } from '../../platform/settings/settings.js';
import type { TaxDocument, DocumentSeries } from './entities/tax-document.entity.js';
import type { InvoicesRepository } from './invoices.repository.js';
import { InvoicingService } from './invoicing.service.js';

const SELLER = { name: 'S', gstin: '29AAGCB7383J1Z4', address: 'a', state: '29', receiptVouchers: true };
const REGISTERED = { ...SELLER, id: 1, since: '2017-07-01', changedAt: new Date(0) };

const NEWEST = '2026-11-30T18:29:59.999Z';

const series = (kind: DocumentSeries['kind'], year: string, last: number, issuedAt: string | null) => ({
  kind,
  year,
  seller: 1,
  last,
  skipped: 0,
  issuedAt: issuedAt === null ? null : new Date(issuedAt),
});

const SERIES: DocumentSeries[] = [
  series('receipt_voucher', '2526', 9_000, '2026-03-31T18:29:59Z'),
  series('receipt_voucher', '2627', 40, '2026-11-30T12:00:00Z'),
  series('invoice', '2627', 70, NEWEST),
  series('credit_note', '2627', 7, null),
];

/** The GSTINs of the seller in the last documents. */
let named: string[];

type Issued = Pick<TaxDocument, 'number' | 'issuedAt' | 'issuedOn'>;

/** The documents that two top-ups get at this time. The settings have another zone than the law. */
async function issuedBy(now: string, timeZone: string, past = SERIES, sellers = [REGISTERED]) {
  const documents: Issued[] = [];
  const repository: Partial<InvoicesRepository> = {
    sellers: () => Promise.resolve(sellers),
    lockSellers: () => Promise.resolve(),
    clients: () =>
      Promise.resolve(
        new Map([
          [1, { id: 1, name: 'C', gstin: null, gstCategory: null, state: null, billingAddress: null }],
        ]),
      ),
    readNumberingState: () =>
      Promise.resolve({ now: new Date(now), sellers, series: past, isHeld: false, logo: null }),
    add: (_, added) => {
      documents.push(...added);
      named = added.map(({ facts }) => facts.seller.gstin);
      return Promise.resolve();
    },
  };
  const steps: (() => Promise<void>)[] = [];
  const transaction = {
    beforeCommit: (step: () => Promise<void>) => steps.push(step),
  } as unknown as Transaction;
  const settings = { ...readSettings({}), timeZone };
  const received = ['a', 'b'].map((key) => ({ key, amount: 100 }));
  const service = new InvoicingService(repository as InvoicesRepository, {} as never, {} as never, settings);
  await service.issueReceipts(transaction, 1, received);
  expect(documents).toEqual([]);
  for (const step of steps) await step();
  return documents.map(({ number, issuedAt: at, issuedOn }) => ({ number, issuedAt: at, issuedOn }));
}

describe.each(['UTC', 'America/St_Johns', 'Pacific/Apia'])('Documents with the settings in %s', (zone) => {
  let warned: string[];
  beforeEach(() => {
    warned = [];
    Logger.overrideLogger({ log: () => {}, error: () => {}, warn: (line: string) => void warned.push(line) });
  });
  afterEach(() => Logger.overrideLogger(false));

  it.each([
    ['2026-11-30T18:30:00.000Z', '2026-12-01', 'RV-2627', 40],
    ['2027-03-31T18:29:59.999Z', '2027-03-31', 'RV-2627', 40],
    ['2027-03-31T18:30:00.000Z', '2027-04-01', 'RV-2728', 0],
    // The clock goes back over the beginning of a year, and before any document.
    ['2026-03-31T18:29:59.500Z', '2026-03-31', 'RV-2526', 9_000],
    ['2025-03-31T18:29:59.500Z', '2025-03-31', 'RV-2425', 0],
  ])('have at %s the day %s and the series %s, after the number %i', async (now, issuedOn, name, last) => {
    expect(await issuedBy(now, zone)).toEqual(
      [last + 1, last + 2].map((count) => ({
        number: `${name}-${String(count).padStart(7, '0')}`,
        issuedAt: new Date(now),
        issuedOn,
      })),
    );
    expect(warned).toEqual([]);
  });

  it('have no earlier time than others of their year, and a clock that goes back is told', async () => {
    const number = expect.stringMatching(/^RV-2627-000004[12]$/);
    const last = { number, issuedAt: new Date(NEWEST), issuedOn: '2026-11-30' };
    expect(await issuedBy('2026-11-30T18:29:57.999Z', zone)).toEqual([last, last]);
    expect(warned).toEqual([expect.stringContaining('clock is 2 s behind the newest document')]);
    expect(await issuedBy(NEWEST, zone)).toEqual([last, last]);
    expect(warned).toHaveLength(1);
  });

  it.each([
    ['2026-11-30T18:29:59.999Z', 'RV-2627-0000041', '2026-11-30', '29AAGCB7383J1Z4'],
    ['2026-11-30T18:30:00.000Z', 'RV2-2627-0000001', '2026-12-01', '27AAPFU0939F1ZV'],
  ])('have at %s the number %s, the day %s and the GSTIN %s', async (now, number, issuedOn, gstin) => {
    const second = { ...REGISTERED, id: 2, since: '2026-12-01', gstin: '27AAPFU0939F1ZV' };
    const [first] = await issuedBy(now, zone, SERIES, [REGISTERED, second]);
    expect(first).toEqual({ number, issuedAt: new Date(now), issuedOn });
    expect(named).toEqual([gstin, gstin]);
  });

  it('begin with the number 1', async () => {
    expect((await issuedBy(NEWEST, zone, [])).map(({ number }) => number)).toEqual([
      'RV-2627-0000001',
      'RV-2627-0000002',
    ]);
  });
});
