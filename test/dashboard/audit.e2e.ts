import { AuditLog } from '../../src/audit/audit-log.js';
import { Database } from '../../src/platform/database/database.js';
import { signIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('The audit log', () => {
  let test: TestApp;
  let clientId: number;

  beforeAll(async () => {
    test = await startTestApp();
    ({ clientId } = await test.fixtures.store());
  });
  afterAll(() => test.close());

  const entries = async (action: string) =>
    (
      await test.pool.query<Record<string, unknown>>(
        `SELECT actor, client_id, person_id, action, subject, details, address FROM audit_log WHERE action = $1 ORDER BY id`,
        [action],
      )
    ).rows;

  it('tells who did what to what, and from where', async () => {
    const { person } = await signIn(test, clientId);
    await test.app
      .get(AuditLog, { strict: false })
      .record({ person, action: 'token.revoked', subject: 'token 12', details: { domain: 'a.example.com' } });
    expect(await entries('token.revoked')).toEqual([
      {
        actor: `person ${person.id} (${person.email})`,
        client_id: clientId,
        person_id: person.id,
        action: 'token.revoked',
        subject: 'token 12',
        details: { domain: 'a.example.com' },
        address: '127.0.0.1',
      },
    ]);
  });

  it('tells nothing of what was not done in the end', async () => {
    const { person } = await signIn(test, clientId);
    const log = test.app.get(AuditLog, { strict: false });
    const undone = test.app.get(Database, { strict: false }).transaction(async (transaction) => {
      await log.recordWithin(transaction, { person, action: 'token.issued', subject: 'token 13' });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect(await entries('token.issued')).toEqual([]);
  });

  it.each(["UPDATE audit_log SET actor = 'nobody'", 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
    'refuses, even of its owner: %s',
    async (statement) => {
      await expect(test.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    },
  );
});
