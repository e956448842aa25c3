import { AuditLog, type AuditShown } from '../../src/audit/audit-log.js';
import { Database } from '../../src/platform/database/database.js';
import { answerOf, runCommand } from '../support/run-command.js';
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

  describe('as operators list it', () => {
    const list = (...args: string[]) => answerOf<AuditShown[]>(test.database.url, 'audit', 'list', ...args);

    it('has the newest first, of a client, of a person, and of a time', async () => {
      const other = await test.fixtures.store({ name: 'Another Home' });
      const [owner, buyer] = [
        await signIn(test, other.clientId),
        await signIn(test, other.clientId, 'buyer'),
      ];
      const log = test.app.get(AuditLog, { strict: false });
      await log.record({ person: owner.person, action: 'token.issued', subject: 'token 1' });
      await log.record({ person: buyer.person, action: 'order.paid', subject: 'order WO-1' });
      await log.record({
        actor: 'a stranger',
        clientId: other.clientId,
        personId: owner.person.id,
        action: 'sign_in.limited',
        subject: `person ${owner.person.id}`,
        address: '198.51.100.7',
      });
      const actions = async (...args: string[]) => (await list(...args)).map(({ action }) => action);
      expect(await actions('--client', 'Another Home')).toEqual([
        'sign_in.limited',
        'order.paid',
        'token.issued',
      ]);
      expect(await actions('--person', owner.person.email)).toEqual(['sign_in.limited', 'token.issued']);
      expect(await actions('--person', String(buyer.person.id))).toEqual(['order.paid']);
      expect(await actions('--client', 'Another Home', '--since', '2099-01-01')).toEqual([]);
      expect(await actions('--client', 'Another Home', '--to', '2020-01-01')).toEqual([]);
      const [limited] = await list('--client', 'Another Home');
      expect(limited).toMatchObject({ actor: 'a stranger', address: '198.51.100.7', details: {} });
    });

    it('has a day from its first moment on, and nothing of the next', async () => {
      const { clientId: own } = await test.fixtures.store();
      await test.fixtures.sql(
        `INSERT INTO audit_log (client_id, actor, action, subject, happened_at)
         SELECT $1, 'test', 'day.' || at, 'a day', at::timestamptz
           FROM unnest(ARRAY['2026-03-01T23:59:59Z', '2026-03-02T00:00:00Z', '2026-03-02T23:59:59Z', '2026-03-03T00:00:00Z']) AS at`,
        [own],
      );
      const day = await list('--client', String(own), '--since', '2026-03-02', '--to', '2026-03-02');
      expect(day.map(({ action }) => action)).toEqual([
        'day.2026-03-02T23:59:59Z',
        'day.2026-03-02T00:00:00Z',
      ]);
    });

    it('is a table for people', async () => {
      const { person } = await signIn(test, clientId);
      await test.app.get(AuditLog, { strict: false }).record({
        person,
        action: 'person.renamed',
        subject: 'person 1',
        details: { from: 'Anaya', to: 'Anaya Rao' },
      });
      const { stdout, exitCode } = await runCommand(test.database.url, 'audit', 'list');
      expect(exitCode).toBe(0);
      expect(stdout).toContain('person.renamed');
      expect(stdout).toContain(person.email);
      expect(stdout).toContain('to Anaya Rao, from Anaya');
    });

    it('says so when there is nothing, or nobody of that name', async () => {
      const { clientId: quiet } = await test.fixtures.store();
      const nothing = await runCommand(test.database.url, 'audit', 'list', '--client', String(quiet));
      expect(nothing.stdout).toContain('Nothing was done.');
      const nobody = await runCommand(test.database.url, 'audit', 'list', '--person', 'nobody@example.com');
      expect(nobody).toMatchObject({ exitCode: 1, stderr: 'There is no person "nobody@example.com".\n' });
    });
  });
});
