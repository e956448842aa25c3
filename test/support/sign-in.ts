import type { Pool } from 'pg';
import request from 'supertest';
import { hashPassword } from '../../src/modules/people/passwords/password-hash.js';
import type {
  ClientPerson,
  ClientRole,
  DeskPerson,
  Role,
  SignedInPerson,
} from '../../src/platform/access/signed-in-person.js';
import type { DeskRole } from '../../src/platform/access/access-rule.js';
import { newSecret } from '../../src/modules/people/secret.js';

/** A person with a session. */
export interface SignedIn<Who extends SignedInPerson = ClientPerson> {
  person: Who;
  cookie: string;
  get(path: string): request.Test;
  /** Posts like a form of the dashboard. */
  post(path: string, fields?: FormValues): request.Test;
}

export type FormValues = Record<string, string | string[]>;

/** The part of a running service that is needed here. */
interface Database {
  pool: Pool;
}

interface Service extends Database {
  url: string;
}

interface Person {
  id: number;
  email: string;
}

/** The password of every person who has one. */
export const PASSWORD = 'rain on a tin roof';

let made = 0;

/** Adds a person with a password and without a session. */
export async function addPerson(
  test: Database,
  clientId: number | null,
  { role = 'owner' as Role } = {},
): Promise<Person> {
  return insertPerson(test, clientId, role, await hashPassword(PASSWORD));
}

/** Adds a person with a session. */
export async function signIn(test: Service, clientId: number, role: ClientRole = 'owner'): Promise<SignedIn> {
  return startSession(test, await insertPerson(test, clientId, role, null));
}

/** Adds a person of the wholesaler with a second step and a session. */
export async function signInAtDesk(test: Service, role: DeskRole = 'admin'): Promise<SignedIn<DeskPerson>> {
  const person = await insertPerson(test, null, role, null);
  await giveSecondStep(test, person);
  return startSession<DeskPerson>(test, person);
}

/** Turns the second step of a person on. The person passed it in all open sessions. */
export async function giveSecondStep({ pool }: Database, { id }: Pick<Person, 'id'>): Promise<void> {
  await pool.query(`UPDATE people SET totp_secret = 'A', totp_enabled_at = now() WHERE id = $1`, [id]);
  await pool.query('UPDATE sessions SET second_step_at = now() WHERE person_id = $1', [id]);
}

/** Starts a session of a person, as in a new browser. */
export async function startSession<Who extends SignedInPerson = ClientPerson>(
  test: Service,
  { id }: Pick<Person, 'id'>,
): Promise<SignedIn<Who>> {
  const { token, hash } = newSecret();
  const { rows } = await test.pool.query<Who>(
    `WITH session AS (INSERT INTO sessions (person_id, hash, ends_at, second_step_at, address, user_agent)
                      SELECT id, $2, now() + interval '14 days', totp_enabled_at, '127.0.0.1', 'a test'
                        FROM people WHERE id = $1 RETURNING id)
     SELECT person.id, client.id AS "clientId", coalesce(client.name, 'the wholesaler') AS "clientName",
            person.name, person.email,
            person.role, session.id AS "sessionId", '127.0.0.1' AS address, 'Asia/Kolkata' AS "timeZone"
       FROM session, people person LEFT JOIN clients client ON client.id = person.client_id WHERE person.id = $1`,
    [id, hash],
  );
  const cookie = `session=${token}`;
  return {
    person: rows[0]!,
    cookie,
    get: (path) => request(test.url).get(path).set('Cookie', cookie),
    post: (path, fields) => postForm(test.url, path, fields).set('Cookie', cookie),
  };
}

/** Posts a form like a browser on a page of the dashboard. */
export function postForm(url: string, path: string, fields: FormValues = {}): request.Test {
  return request(url).post(path).set('Sec-Fetch-Site', 'same-origin').type('form').send(formOf(fields));
}

interface Upload {
  kind: string;
  name: string;
  content: Buffer;
}

/** Uploads a file to import, and returns the path of its page. */
export async function uploadAtDesk(
  url: string,
  cookie: string,
  { kind, name, content }: Upload,
): Promise<string> {
  const { status, headers, text } = await request(url)
    .post('/desk/imports')
    .set('Cookie', cookie)
    .set('Sec-Fetch-Site', 'same-origin')
    .field('kind', kind)
    .attach('file', content, name);
  if (status !== 303) throw new Error(`${status}: ${text}`);
  return headers.location as string;
}

/** A repeated field is a list, like checkboxes. */
function formOf(fields: FormValues): string {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  return new URLSearchParams(pairs).toString();
}

async function insertPerson(
  { pool }: Database,
  clientId: number | null,
  role: Role,
  hash: string | null,
): Promise<Person> {
  const account = clientId === null ? 'wholesale' : `client-${clientId}`;
  const email = `${role}-${++made}@${account}.example.com`;
  const { rows } = await pool.query<Person>(
    `INSERT INTO people (client_id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, $5)
     RETURNING id, email`,
    [clientId, email, `Test ${role}`, role, hash],
  );
  return rows[0]!;
}
