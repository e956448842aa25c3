import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import { promisify } from 'node:util';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { eventually } from '../../support/eventually.js';
import { type SignedIn, signInAtDesk, startSession } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const FILE = '/desk/goods/catalog.csv';

/** More bytes than sockets buffer, so a file whose reader pauses stays under way. */
const PRODUCTS = 20;
const DESCRIPTION = 1_000_000;

describe('A download that is under way', () => {
  const test = setUpTestApp();
  const other = makeBeforeAll(() => startTestApp({}, test.database));
  let admin: SignedIn<DeskPerson>;
  let person: SignedIn<DeskPerson>;

  beforeAll(async () => {
    await test.fixtures.products(Array.from({ length: PRODUCTS }, () => ({})));
    await test.pool.query(`UPDATE products SET description = repeat('x', ${DESCRIPTION})`);
    admin = await signInAtDesk(test);
  });

  beforeEach(async () => {
    person = await signInAtDesk(test, 'staff');
  });

  /** From the other node. Only the head is read now. */
  async function begin({ cookie }: { cookie: string }): Promise<IncomingMessage> {
    const request = get(`${other.url}${FILE}`, { headers: { cookie }, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    return answer;
  }

  /** The length of the file. */
  async function readOn(answer: IncomingMessage): Promise<number> {
    let length = 0;
    for await (const piece of answer) length += (piece as Buffer).length;
    return length;
  }

  /** Of the other node. A file whose reader pauses keeps its connection. */
  const connections = () =>
    promisify((done: (error: Error | null, count: number) => void) =>
      (other.app.getHttpServer() as Server).getConnections(done),
    )();

  const connected = (count: number) => eventually(async () => (await connections()) === count);

  /** The database queries of the files are finished. */
  const made = () =>
    eventually(async () => {
      const { rows } = await test.pool.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND usename <> current_user AND xact_start IS NOT NULL`,
      );
      return rows.length === 0;
    });

  it('loses nothing while its reader stalls, and holds no transaction and no connection', async () => {
    const whole = await readOn(await begin(person));
    const file = await begin(person);
    await made();
    const { rows } = await test.pool.query<{ ended: boolean }>(
      `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
        WHERE datname = current_database() AND usename <> current_user AND state = 'idle'
          AND query NOT LIKE 'LISTEN%'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(await readOn(file)).toBe(whole);
    expect(whole).toBeGreaterThan(PRODUCTS * DESCRIPTION);
  });

  it.each<[string, () => PromiseLike<unknown>]>([
    ['is disabled', () => admin.post(`/desk/people/${person.person.id}/disable`).expect(303)],
    [
      'loses the role',
      () => admin.post(`/desk/people/${person.person.id}/role`, { role: 'packer' }).expect(303),
    ],
  ])('breaks off on every node when its person %s, and the file of another does not', async (_, change) => {
    const before = await connections();
    const file = await begin(person);
    const neighbour = await begin(await signInAtDesk(test, 'staff'));
    await connected(before + 2);
    await change();
    await connected(before + 1);
    await expect(readOn(file)).rejects.toThrow('aborted');
    expect(await readOn(neighbour)).toBeGreaterThan(PRODUCTS * DESCRIPTION);
  });

  it('breaks off when its session is ended, and that of another session does not', async () => {
    const otherPlace = await startSession<DeskPerson>(test, person.person);
    const before = await connections();
    const file = await begin(person);
    const neighbour = await begin(otherPlace);
    await connected(before + 2);
    await otherPlace.post('/desk/security/sessions/end-others').expect(303);
    await connected(before + 1);
    await expect(readOn(file)).rejects.toThrow('aborted');
    expect(await readOn(neighbour)).toBeGreaterThan(PRODUCTS * DESCRIPTION);
  });
});
