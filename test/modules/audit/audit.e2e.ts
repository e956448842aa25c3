import { Pool } from 'pg';
import type { AuditRow } from '../../../src/modules/audit/audit-list.repository.js';
import { AuditLog } from '../../../src/modules/audit/audit-log.js';
import { Database } from '../../../src/platform/database/database.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The audit log', () => {
  const test = setUpTestApp();
  let clientId: number;

  beforeAll(async () => ({ clientId } = await test.fixtures.store()));

  const entries = async (action: string) =>
    (
      await test.pool.query<Record<string, unknown>>(
        `SELECT actor, client_id, person_id, action, subject, details, address FROM audit_log
          WHERE action = $1 ORDER BY id`,
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

  describe('as its owner shortens it', () => {
    const forget = (url: string, before: string) =>
      runCommand(url, 'audit', 'forget', '--by', 'asha', '--before', before);

    async function aged(count: number): Promise<number> {
      const { clientId: own } = await test.fixtures.store();
      await test.pool.query(
        `INSERT INTO audit_log (client_id, actor, action, subject, happened_at)
         SELECT $1, 'test', 'entry.aged', 'n ' || n, now() - make_interval(days => 399 + n % 2 * 2)
           FROM generate_series(1, $2::int) AS n`,
        [own, count],
      );
      return own;
    }

    const left = async (own: number) =>
      (await test.pool.query('SELECT FROM audit_log WHERE client_id = $1', [own])).rowCount;

    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

    it('loses the entries before that time, in batches, and each has its entry', async () => {
      const own = await aged(20_002);
      const before = daysAgo(400);
      expect(await forget(test.database.url, before)).toMatchObject({
        exitCode: 0,
        stdout: '10001 entries were deleted.\n',
      });
      expect(await left(own)).toBe(10_001);
      expect(await forget(test.database.url, before)).toMatchObject({
        exitCode: 0,
        stdout: '0 entries were deleted.\n',
      });
      const entry = { actor: 'asha', client_id: null, person_id: null, address: null };
      const action = { action: 'audit.forgotten', subject: 'audit log' };
      expect(await entries('audit.forgotten')).toEqual([
        { ...entry, ...action, details: { before, entries: 10_000 } },
        { ...entry, ...action, details: { before, entries: 1 } },
      ]);
    });

    it('keeps at least a year', async () => {
      const refused = await forget(test.database.url, daysAgo(364));
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('365 days') });
      await test.pool.query(
        `INSERT INTO audit_log (actor, action, subject, happened_at)
          VALUES ('test', 'entry.young', 'x', now() - interval '364 days')`,
      );
      const byHand = test.pool.query(`DELETE FROM audit_log WHERE action = 'entry.young'`);
      await expect(byHand).rejects.toMatchObject({ code: '42501' });
    });

    it('keeps records of tax for eight years', async () => {
      await test.pool.query(
        `INSERT INTO audit_log (actor, action, subject, details, happened_at)
         SELECT 'test', action, age, details::jsonb, now() - age::interval
           FROM (VALUES ('client.changed', '{}'), ('product.changed', '{}'), ('seller.changed', '{}'),
                        ('return.filed', '{}'), ('return.filing_taken_back', '{}'),
                        ('order.shipped', '{"without_irn": "down"}'),
                        ('order.shipped', '{"no_invoice": "export"}'), ('order.shipped', '{}')
                ) AS tax (action, details),
                (VALUES ('7 years 364 days'), ('8 years 1 day')) AS old (age)`,
      );
      const { stdout } = await forget(test.database.url, daysAgo(400));
      expect(stdout).toBe('9 entries were deleted.\n');
      const { rows } = await test.pool.query(
        `DELETE FROM audit_log WHERE subject = '8 years 1 day' RETURNING id`,
      );
      expect(rows).toEqual([]);
      const byHand = test.pool.query(`DELETE FROM audit_log WHERE subject = '7 years 364 days'`);
      await expect(byHand).rejects.toMatchObject({ code: '42501' });
    });

    it('keeps all from the role of the service', async () => {
      const own = await aged(2);
      const refused = await forget(test.database.serviceUrl, daysAgo(398));
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Only the owner') });
      expect(await left(own)).toBe(2);
      const asService = new Pool({ connectionString: test.database.serviceUrl });
      const byHand = asService.query('DELETE FROM audit_log WHERE client_id = $1', [own]);
      await expect(byHand.finally(() => asService.end())).rejects.toMatchObject({ code: '42501' });
    });
  });

  describe('tells nothing of a form that changes nothing', () => {
    const message = async ({ id }: { id: number }) =>
      (
        await test.pool.query<{ action: string }>('SELECT action FROM audit_log WHERE person_id = $1', [id])
      ).rows
        .map(({ action }) => action)
        .filter((action) => action !== 'session.begun');

    it('to end other sessions when there are none', async () => {
      const person = await signIn(test, clientId, 'viewer');
      for (let n = 0; n < 3; n++) await person.post('/dashboard/security/sessions/end-others').expect(303);
      expect(await message(person.person)).toEqual([]);
    });

    it('to give a person the role that they have, and to enable one who is', async () => {
      const owner = await signIn(test, clientId);
      const { person } = await signIn(test, clientId, 'viewer');
      await owner.post(`/dashboard/people/${person.id}/role`, { role: 'viewer' }).expect(303);
      await owner.post(`/dashboard/people/${person.id}/enable`).expect(303);
      expect(await message(owner.person)).toEqual([]);
      for (let n = 0; n < 3; n++) await owner.post(`/dashboard/people/${person.id}/disable`).expect(303);
      expect(await message(owner.person)).toEqual(['person.disabled']);
    });

    it('to give a token the name that it has', async () => {
      const store = await test.fixtures.store();
      const owner = await signIn(test, store.clientId);
      const rename = () => owner.post(`/dashboard/api-access/${store.tokenId}/name`, { name: 'Shop' });
      for (let n = 0; n < 3; n++) await rename().expect(303);
      expect(await message(owner.person)).toEqual(['token.renamed']);
    });
  });

  it('is not flooded: each person may submit 60 forms a minute', async () => {
    const [flooding, other] = [
      await signIn(test, clientId, 'viewer'),
      await signIn(test, clientId, 'viewer'),
    ];
    const path = '/dashboard/security/sessions/end-others';
    let refused = 0;
    let answer = await flooding.post(path);
    for (let sent = 1; sent < 200 && refused < 20; sent++) {
      answer = await flooding.post(path);
      if (answer.status === 429) refused++;
    }
    expect(refused).toBe(20);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.text).toContain('You may submit 60 forms a minute. Try again in ');
    await flooding.get('/dashboard/security').expect(200);
    await other.post(path).expect(303);
  });

  describe('as operators list it', () => {
    const list = (...args: string[]) => answerOf<AuditRow[]>(test.database.url, 'audit', 'list', ...args);

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
      expect(await actions('--client', 'Another Home', '--from', '2099-01-01')).toEqual([]);
      expect(await actions('--client', 'Another Home', '--to', '2020-01-01')).toEqual([]);
      const [limited] = await list('--client', 'Another Home');
      expect(limited).toMatchObject({ actor: 'a stranger', address: '198.51.100.7', details: {} });
    });

    it('has a day from its first moment on, and nothing of the next', async () => {
      const { clientId: own } = await test.fixtures.store();
      await test.fixtures.sql(
        `INSERT INTO audit_log (client_id, actor, action, subject, happened_at)
         SELECT $1, 'test', 'day.' || at, 'a day', at::timestamptz
           FROM unnest(ARRAY['2026-03-01T18:29:59Z', '2026-03-01T18:30:00Z', '2026-03-02T18:29:59Z',
             '2026-03-02T18:30:00Z']) AS at`,
        [own],
      );
      const day = await list('--client', String(own), '--from', '2026-03-02', '--to', '2026-03-02');
      expect(day.map(({ action }) => action)).toEqual([
        'day.2026-03-02T18:29:59Z',
        'day.2026-03-01T18:30:00Z',
      ]);
    });
  });
});
