import type { Pool } from 'pg';
import request from 'supertest';
import { hashPassword } from '../../src/auth/passwords/password-hash.js';
import type { ClientRole } from '../../src/auth/people/roles.js';
import type { ClientPerson } from '../../src/auth/people/signed-in-person.js';
import { newSessionToken } from '../../src/auth/sessions/browser-cookies.js';

/** A person of a client with a session. */
export interface SignedIn {
  person: ClientPerson;
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
let passwordHash: Promise<string> | undefined;

/** Adds a person with a password and without a session. */
export async function addPerson(
  test: Database,
  clientId: number,
  { role = 'owner' as ClientRole, password = PASSWORD } = {},
): Promise<Person> {
  // Hashing is slow on purpose, so the hash is reused.
  passwordHash ??= hashPassword(PASSWORD);
  const hash = await (password === PASSWORD ? passwordHash : hashPassword(password));
  return insertPerson(test, clientId, role, hash);
}

/** Adds a person with a session. */
export async function signIn(test: Service, clientId: number, role: ClientRole = 'owner'): Promise<SignedIn> {
  return startSession(test, await insertPerson(test, clientId, role, null));
}

/** Starts a session of a person, as in a new browser. */
export async function startSession(test: Service, { id }: Pick<Person, 'id'>): Promise<SignedIn> {
  const { token, hash } = newSessionToken();
  const { rows } = await test.pool.query<ClientPerson>(
    `WITH session AS (INSERT INTO sessions (person_id, hash, ends_at, address, user_agent)
                      VALUES ($1, $2, now() + interval '14 days', '127.0.0.1', 'a test') RETURNING id)
     SELECT person.id, client.id AS "clientId", client.name AS "clientName", person.name, person.email,
            person.role, session.id AS "sessionId", '127.0.0.1' AS address, 'Asia/Kolkata' AS "timeZone"
       FROM session, people person JOIN clients client ON client.id = person.client_id WHERE person.id = $1`,
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

/** A repeated field is a list, like checkboxes. */
function formOf(fields: FormValues): string {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  return new URLSearchParams(pairs).toString();
}

async function insertPerson(
  { pool }: Database,
  clientId: number,
  role: ClientRole,
  hash: string | null,
): Promise<Person> {
  const email = `${role}-${++made}@client-${clientId}.example.com`;
  const { rows } = await pool.query<Person>(
    `INSERT INTO people (client_id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, $5)
     RETURNING id, email`,
    [clientId, email, `Test ${role}`, role, hash],
  );
  return rows[0]!;
}
