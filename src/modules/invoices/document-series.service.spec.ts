import type { AuditLog } from '../audit/audit-log.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { readSettings } from '../../platform/settings/settings.js';
import { DocumentSeriesService } from './document-series.service.js';
import type { InvoicesRepository } from './invoices.repository.js';

/** The series of this number, or why it does not go on. The settings have another zone than the law. */
function seriesAfter(number: string, now: string, timeZone: string): Promise<string> {
  const transaction = { query: () => Promise.resolve([{ owns: true }]) } as unknown as Transaction;
  const repository: Partial<InvoicesRepository> = {
    lockSellers: () => Promise.resolve(),
    readNumberingState: () =>
      Promise.resolve({ now: new Date(now), sellers: [], series: [], isHeld: false, logo: null }),
  };
  const database = { transaction: (work: (one: Transaction) => unknown) => work(transaction) };
  const service = new DocumentSeriesService(
    database as unknown as Database,
    repository as InvoicesRepository,
    {} as AuditLog,
    { ...readSettings({}), timeZone },
  );
  return service.plan([number]).then(
    ({ skips: [skip] }) => skip!.series,
    ({ message }: Error) => message,
  );
}

describe.each(['UTC', 'America/St_Johns', 'Pacific/Apia'])('A series, with the settings in %s,', (zone) => {
  it.each([
    ['2027-03-31T18:29:59.999Z', 'INV-2627', 'INV-2728'],
    ['2027-03-31T18:30:00.000Z', 'INV-2728', 'INV-2627'],
  ])('goes on at %s if it is %s, and not if it is %s', async (now, current, other) => {
    expect(await seriesAfter(`${current}-0000005`, now, zone)).toBe(current);
    expect(await seriesAfter(current.replace('INV', 'INV2') + '-000005', now, zone)).toContain('First set');
    expect(await seriesAfter(`${other}-0000005`, now, zone)).toContain(`such as ${current}.`);
  });
});
