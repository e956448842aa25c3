import type { ImportReport } from '../../shared/imports/import-report.js';
import { AuditLog } from './audit-log.js';

describe('An imported file whose entry cannot be stored', () => {
  it('gives its connection back', async () => {
    const entries = { insert: () => Promise.reject(new Error('away')) };
    const audit = new AuditLog({} as never, {} as never, entries as never);
    let closed = 0;
    const report = {
      dryRun: false,
      created: 1,
      updated: 0,
      failedCount: 0,
      close: async () => void closed++,
    };
    const recorded = audit.recordFile('catalog', report as unknown as ImportReport, { actor: 'test' });
    await expect(recorded).rejects.toThrow('away');
    expect(closed).toBe(1);
  });
});
