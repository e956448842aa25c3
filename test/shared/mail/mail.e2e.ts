import 'reflect-metadata';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { Pool } from 'pg';
import { openServices } from '../../../src/cli/local/open-services.js';
import { MailDesk, type MailListItem } from '../../../src/shared/mail/mail-desk.service.js';
import { MailSender } from '../../../src/shared/mail/mail-sender.service.js';
import { type Mail, Outbox } from '../../../src/shared/mail/outbox.repository.js';
import { Database } from '../../../src/platform/database/database.js';
import { readSettings } from '../../../src/platform/settings/settings.js';
import type { MailSettings } from '../../../src/platform/settings/mail-settings.js';
import { eventually } from '../../support/eventually.js';
import { atSuiteEnd } from '../../support/suite-end.js';
import { MailServer, refusal } from '../../support/mail-server.js';
import { ServiceProcess } from '../../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { TestPool } from '../../support/test-pool.js';
import { watchLog } from '../../support/watch-log.js';

const SECRET = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ';
const LINK = `https://wholesale.example.com/dashboard/link#${SECRET}`;
const HOUR_MS = 3_600_000;

const HEADERS = [
  'Auto-Submitted',
  'Content-Transfer-Encoding',
  'Content-Type',
  'Date',
  'From',
  'MIME-Version',
  'Message-ID',
  'Subject',
  'To',
];

function mailTo(recipient: string, more: Partial<Mail> = {}): Mail {
  const usefulUntil = new Date(Date.now() + HOUR_MS);
  return { recipient, subject: 'Your link', body: `Here it is:\n\n${LINK}\n`, usefulUntil, ...more };
}

describe('Mail', () => {
  let database: TestDatabase;
  let pool: Pool;
  let server: MailServer;
  let node: INestApplicationContext;
  let withSilentServer: Promise<PromiseSettledResult<MailListItem[]>[]>;

  beforeAll(async () => {
    // This takes ten seconds, so it runs beside the other tests.
    withSilentServer = Promise.allSettled([sendToSilentServer()]);
    database = await createTestDatabase();
    pool = new TestPool({ connectionString: database.url, max: 2 });
    server = await MailServer.start();
    node = await openNode(server.settings);
  });
  afterAll(async () => {
    await pool.end();
    await node.close();
    await database.drop();
  });
  beforeEach(async () => {
    server.forget();
    await pool.query('TRUNCATE outbox');
  });

  /** Opens a node that sends mail only on request. */
  async function openNode(
    mail: MailSettings | undefined,
    { serviceUrl } = database,
  ): Promise<INestApplicationContext> {
    const app = await openServices({ ...readSettings({}), mail }, serviceUrl);
    atSuiteEnd(() => app.close());
    return app;
  }

  /** Uses its own database. */
  async function sendToSilentServer(): Promise<MailListItem[]> {
    const { port } = await silentServer();
    const own = await createTestDatabase();
    atSuiteEnd(() => own.drop());
    const sender = await openNode({ ...(await MailServer.start()).settings, port }, own);
    await write(mailTo('anaya@example.com'), sender);
    await send(sender);
    return sender.get(MailDesk).list();
  }

  const write = (mail: Mail, on = node) =>
    on.get(Database).transaction(({ manager }) => on.get(Outbox).write(manager, mail));

  const send = (on = node) => on.get(MailSender).run();

  const list = () => node.get(MailDesk).list();

  const only = async (): Promise<MailListItem> => {
    const mails = await list();
    expect(mails).toHaveLength(1);
    return mails[0]!;
  };

  const makeDue = () => pool.query('UPDATE outbox SET next_try_at = now() WHERE next_try_at IS NOT NULL');

  const makeExpired = () => pool.query('UPDATE outbox SET useful_until = now()');

  const bodies = async () => (await pool.query<{ body: string | null }>('SELECT body FROM outbox')).rows;

  it('is sent after its transaction commits, and its text is deleted', async () => {
    expect(await write(mailTo('anaya@example.com', { subject: 'Grüße aus Köln: ₹ 5' }))).toBeDefined();
    await send();
    const mail = server.to('anaya@example.com');
    expect(mail.subject).toBe('Grüße aus Köln: ₹ 5');
    expect(mail.text).toContain(`Here it is:\n\n${LINK}\n`);
    expect(mail.source).toContain('From: Sharma Wholesale <orders@wholesale.example.com>');
    expect(mail.source).toContain('Auto-Submitted: auto-generated');
    expect(await only()).toMatchObject({ recipient: 'anaya@example.com', state: 'sent', tries: 1 });
    expect(await bodies()).toEqual([{ body: null }]);
    await send();
    expect(server.received).toHaveLength(1);
  });

  it('is not sent when its transaction fails', async () => {
    const failing = node.get(Database).transaction(async ({ manager }) => {
      await node.get(Outbox).write(manager, mailTo('anaya@example.com'));
      throw new Error('it failed');
    });
    await expect(failing).rejects.toThrow('it failed');
    await send();
    expect(server.received).toEqual([]);
  });

  it('has the right headers in spite of line breaks in its subject', async () => {
    await write(mailTo('anaya@example.com', { subject: 'One\r\nBcc: c@example.com\r\n\r\nAnother text' }));
    await send();
    expect(server.to('anaya@example.com').source).not.toMatch(/^(Bcc:|Another text)/m);
  });

  it.each([
    ['a header behind a line break', 'Anaya\nBcc: c@example.com', 'Anaya Bcc: c@example.com'],
    ['a header behind a carriage return', 'Anaya\rBcc: c@example.com', 'Anaya Bcc: c@example.com'],
    ['line breaks of Unicode', 'Anaya\u2028Bcc: c@example.com\u0085', undefined],
    ['addresses and quotes', '"Anaya" <c@example.com>, d@example.com;', undefined],
    ['another script', 'शर्मा थोक विक्रेता '.repeat(10).trim(), undefined],
    ['signs of four bytes', '🛒'.repeat(200), undefined],
    ['200 letters without a blank', 'A'.repeat(200), undefined],
  ])('has one header of each kind and one recipient, whatever a name holds: %s', async (_, name, read) => {
    await write(mailTo('anaya@example.com', { subject: `You are invited to ${name}` }));
    await write(mailTo('b@example.com', { subject: name }));
    await send(await openNode({ ...server.settings, from: { ...server.settings.from, name } }));
    expect(server.received.map(({ recipient }) => recipient).toSorted()).toEqual([
      'anaya@example.com',
      'b@example.com',
    ]);
    for (const { recipient, source } of server.received) {
      const head = source.slice(0, source.indexOf('\r\n\r\n'));
      const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, header]) => header!);
      expect(names.toSorted()).toEqual(HEADERS);
      expect(head).toContain(`\r\nTo: ${recipient}\r\n`);
      expect(head).toContain(' <orders@wholesale.example.com>\r\n');
      expect(Math.max(...source.split('\r\n').map(({ length }) => length))).toBeLessThan(998);
    }
    expect(server.to('anaya@example.com').subject).toBe(`You are invited to ${read ?? name}`);
  });

  it.each([
    'a@example.com, b@example.com',
    'a@example.com,b@example.com',
    'Anaya <a@example.com>, <b@example.com>',
    'a@example.com>\r\nRCPT TO:<b@example.com',
  ])('is not sent when the address holds another one: %j', async (recipient) => {
    await write(mailTo(recipient));
    await send();
    expect(server.received).toEqual([]);
  });

  it('is not stored when no mail server is configured', async () => {
    const without = await openNode(undefined);
    expect(await write(mailTo('anaya@example.com'), without)).toBeUndefined();
    expect(await list()).toEqual([]);
  });

  it('is sent once by several nodes', async () => {
    const other = await openNode(server.settings);
    const recipients = Array.from({ length: 40 }, (_, index) => `r${index}@example.com`);
    for (const recipient of recipients) await write(mailTo(recipient));
    await Promise.all([send(), send(other), send(), send(other)]);
    expect(server.received.map(({ recipient }) => recipient).toSorted()).toEqual(recipients.toSorted());
    expect(node.get(MailSender).outcomes.sent).toBeGreaterThan(0);
    expect(other.get(MailSender).outcomes.sent).toBeGreaterThan(0);
  });

  it('does not wait for a mail that another node has locked', async () => {
    await write(mailTo('taken@example.com'));
    await write(mailTo('anaya@example.com'));
    const locker = await pool.connect();
    await locker.query('BEGIN');
    await locker.query(`SELECT FROM outbox WHERE recipient = 'taken@example.com' FOR UPDATE`);
    await send();
    expect(server.received.map(({ recipient }) => recipient)).toEqual(['anaya@example.com']);
    await locker.query('ROLLBACK');
    locker.release();
    await send();
    expect(server.to('taken@example.com')).toBeDefined();
  });

  it('waits with growing pauses while the server is away, and is sent when it is back', async () => {
    await write(mailTo('a@example.com'));
    await write(mailTo('b@example.com'));
    const away = await openNode({ ...server.settings, port: await unusedPort() });
    await send(away);
    const mails = await list();
    expect(mails.map(({ state, tries }) => `${state} ${tries}`).toSorted()).toEqual([
      'waiting 0',
      'waiting 1',
    ]);
    const tried = mails.find(({ tries }) => tries === 1)!;
    expect(tried.fault).toMatch(/^ECONNREFUSED at CONN: .*ECONNREFUSED/);
    expect(tried.next_try_at!.getTime()).toBeGreaterThan(tried.created_at.getTime() + 29_000);
    await makeDue();
    await send();
    expect(server.received).toHaveLength(2);
    expect((await list()).map(({ state, fault }) => ({ state, fault }))).toEqual([
      { state: 'sent', fault: null },
      { state: 'sent', fault: null },
    ]);
  });

  it('is reported once when several mails wait for the server', async () => {
    const sender = await openNode({ ...server.settings, port: await unusedPort() });
    const message = watchLog();
    for (const _ of [1, 2]) {
      await write(mailTo('anaya@example.com'));
      await send(sender);
    }
    expect(message).toEqual([
      expect.stringMatching(/^The mail server accepts no mail, the service will retry: ECONNREFUSED/),
    ]);
  });

  it('waits when the server rejects it for now, and does not delay the next mail', async () => {
    server.checkRecipient = (recipient) =>
      recipient === 'full@example.com' ? refusal(452, 'mailbox full') : undefined;
    const before = node.get(MailSender).outcomes.put_off;
    await write(mailTo('full@example.com'));
    await write(mailTo('anaya@example.com'));
    await send();
    expect(node.get(MailSender).outcomes.put_off).toBe(before + 1);
    expect(server.received.map(({ recipient }) => recipient)).toEqual(['anaya@example.com']);
    const waiting = await node.get(MailDesk).list('waiting');
    expect(waiting).toMatchObject([{ recipient: 'full@example.com', tries: 1 }]);
    expect(waiting[0]!.fault).toBe('EENVELOPE 452 at RCPT TO');
  });

  it('is given up when the server rejects it for good, and the answer is not stored', async () => {
    server.check = ({ text }) => refusal(554, `no such thing here: ${text}`);
    const before = node.get(MailSender).outcomes.given_up;
    await write(mailTo('anaya@example.com'));
    await send();
    expect(await only()).toMatchObject({
      state: 'given-up',
      fault: 'EMESSAGE 554 at DATA',
      next_try_at: null,
    });
    expect(await bodies()).toEqual([{ body: null }]);
    expect(node.get(MailSender).outcomes.given_up).toBe(before + 1);
  });

  it('is given up when it has expired, also without a mail server', async () => {
    for (const sender of [node, await openNode(undefined)]) {
      await pool.query('TRUNCATE outbox');
      await write(mailTo('anaya@example.com'));
      await makeExpired();
      await send(sender);
      expect(await only()).toMatchObject({ state: 'given-up' });
      expect(await bodies()).toEqual([{ body: null }]);
    }
    await send();
    expect(server.received).toEqual([]);
  });

  it('waits when the server refuses the login', async () => {
    const strict = await MailServer.start({
      authOptional: false,
      onAuth: (_, __, done) => done(refusal(535, 'no')),
    });
    const outsider = await openNode({
      ...strict.settings,
      login: { user: 'me', password: 'wrong-password' },
    });
    await write(mailTo('anaya@example.com'));
    await send(outsider);
    expect(await only()).toMatchObject({ state: 'waiting', fault: expect.stringMatching(/^EAUTH 535/) });
  });

  it('is not sent to a server without TLS when TLS is required', async () => {
    const wary = await openNode({ ...server.settings, security: 'starttls' });
    await write(mailTo('anaya@example.com'));
    await send(wary);
    expect(server.received).toEqual([]);
    expect(await only()).toMatchObject({ state: 'waiting', fault: expect.stringContaining('ETLS') });
  });

  it('is not sent to a server with an untrusted certificate', async () => {
    const secure = await MailServer.start({ secure: true, disabledCommands: [] });
    await write(mailTo('anaya@example.com'));
    await send(await openNode({ ...secure.settings, security: 'smtps' }));
    expect(secure.received).toEqual([]);
    expect((await only()).fault).toMatch(/certificate/);
  });

  it('does not delay the stop of a node while the server is slow', async () => {
    const started = new Promise<void>((resolve) => {
      server.check = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const service = await ServiceProcess.start({ DATABASE_URL: database.serviceUrl, ...server.environment });
    await write(mailTo('anaya@example.com'));
    await started;
    expect(await service.end('SIGINT')).toBe(0);
    expect(await only()).toMatchObject({ state: 'waiting', fault: 'EABORT' });
  });

  it('is sent again with the same id when a node is killed before it stores the result', async () => {
    const environment = { DATABASE_URL: database.serviceUrl, ...server.environment };
    const killed = await ServiceProcess.start(environment);
    const taken = new Promise<void>((resolve) => {
      server.check = async () => {
        await killed.end('SIGKILL');
        resolve();
        return undefined;
      };
    });
    await write(mailTo('anaya@example.com'));
    await taken;
    server.check = () => undefined;
    expect(await only()).toMatchObject({ state: 'waiting', tries: 1 });
    await send();
    expect(server.received).toHaveLength(1);
    await makeDue();
    await send();
    expect(server.received.map(({ recipient }) => recipient)).toEqual([
      'anaya@example.com',
      'anaya@example.com',
    ]);
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await only()).toMatchObject({ state: 'sent', tries: 2 });
  });

  it('is sent by the service, whose log contains no links, addresses or passwords', async () => {
    server.check = ({ recipient, text }) =>
      recipient === 'anaya@example.com' ? undefined : refusal(550, `who is ${recipient}: ${text}`);
    const url = `smtp://user:smtp-password@127.0.0.1:${server.port}`;
    const service = await ServiceProcess.start({
      DATABASE_URL: database.serviceUrl,
      ACCESS_LOG: 'all',
      ...server.environment,
      SMTP_URL: url,
    });
    await write(mailTo('unknown@example.com'));
    await write(mailTo('anaya@example.com'));
    await eventually(() => server.received.length === 1);
    await eventually(async () => (await list()).every(({ state }) => state !== 'waiting'));
    expect(await service.end('SIGINT')).toBe(0);
    expect(service.output).toContain('mails were not sent');
    expect(service.output).toContain('Dashboard: http://localhost:3000/dashboard\n');
    for (const secret of [SECRET, 'anaya@', 'unknown@', 'smtp-password', 'who is'])
      expect(service.output).not.toContain(secret);
  });

  const withdraw = (mailId: string | undefined) =>
    node.get(Database).transaction(({ manager }) => node.get(Outbox).withdraw(manager, [mailId!]));

  it('that is withdrawn in time is not sent, and its text is deleted', async () => {
    const mailId = await write(mailTo('anaya@example.com'));
    await withdraw(mailId);
    await send();
    expect(server.received).toEqual([]);
    expect(await only()).toMatchObject({ state: 'withdrawn', tries: 0, fault: null });
    expect(await bodies()).toEqual([{ body: null }]);
  });

  it('that is withdrawn during or after sending counts as sent', async () => {
    const mailId = await write(mailTo('anaya@example.com'));
    server.check = async () => void (await withdraw(mailId));
    await send();
    expect(await only()).toMatchObject({ state: 'sent' });
    await withdraw(mailId);
    expect(await only()).toMatchObject({ state: 'sent' });
  });

  it.each([
    ['for now', refusal(452, 'mailbox full')],
    ['for good', refusal(554, 'no such mailbox')],
  ])('that is withdrawn while the server rejects it %s stays withdrawn', async (_, answer) => {
    const mailId = await write(mailTo('anaya@example.com'));
    server.check = async () => {
      await withdraw(mailId);
      return answer;
    };
    await send();
    expect(await only()).toMatchObject({ state: 'withdrawn', next_try_at: null, fault: null });
    expect(await node.get(MailDesk).list('given-up')).toEqual([]);
  });

  it('is deleted after 30 days when it is finished', async () => {
    await write(mailTo('a@example.com'));
    await send();
    await write(mailTo('b@example.com', { usefulUntil: new Date(Date.now() + 100 * 24 * HOUR_MS) }));
    await pool.query(
      `UPDATE outbox
       SET created_at = now() - interval '31 days', next_try_at = next_try_at + interval '1 day'`,
    );
    await send();
    expect(await only()).toMatchObject({ recipient: 'b@example.com', state: 'waiting' });
  });

  it('is retried later when the server does not answer', async () => {
    expect(await withSilentServer).toMatchObject([
      { value: [{ state: 'waiting', fault: expect.stringContaining('ETIMEDOUT at CONN') }] },
    ]);
  });

  describe('for the wholesaler', () => {
    const test = (on = node) => on.get(MailDesk).sendTestMail('me@example.com');

    it('is listed without its text', async () => {
      await write(mailTo('a@example.com'));
      await send();
      await write(mailTo('b@example.com'));
      const listed = await list();
      expect(listed).toMatchObject([
        { recipient: 'b@example.com', subject: 'Your link', state: 'waiting' },
        { recipient: 'a@example.com', subject: 'Your link', state: 'sent' },
      ]);
      expect(JSON.stringify(listed)).not.toContain(SECRET);
      expect(await node.get(MailDesk).list('waiting')).toEqual([listed[0]]);
      expect(await node.get(MailDesk).list('given-up')).toEqual([]);
    });

    it('can be tested, and the answer of the server is shown', async () => {
      await test();
      expect(server.to('me@example.com').subject).toBe('Test mail');
      server.checkRecipient = () => refusal(550, 'relaying denied');
      await expect(test()).rejects.toThrow('The server refused the mail: EENVELOPE 550 at RCPT TO.');
      const without = await openNode(undefined);
      await expect(test(without)).rejects.toThrow('SMTP_URL is not set: no mail is sent.');
    });
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Accepts connections and never answers. */
async function silentServer(): Promise<{ port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atSuiteEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return server.address() as AddressInfo;
}
