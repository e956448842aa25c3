import request from 'supertest';
import type { ClientRole } from '../../src/auth/people/roles.js';
import type { ClientPerson } from '../../src/auth/people/signed-in-person.js';
import { newSessionToken } from '../../src/auth/sessions/session-token.js';
import type { TestApp } from './test-app.js';

/** One of a client's people with a session, as a browser would send it. */
export interface SignedIn {
  person: ClientPerson;
  cookie: string;
  get(path: string): request.Test;
  /** As a form of ours is posted. */
  post(path: string, fields?: Record<string, string | string[]>): request.Test;
}

let made = 0;

export async function signIn(
  test: Pick<TestApp, 'pool' | 'url'>,
  clientId: number,
  role: ClientRole = 'owner',
): Promise<SignedIn> {
  const email = `${role}-${++made}@client-${clientId}.example.com`;
  const { token, hash } = newSessionToken();
  const { rows } = await test.pool.query<ClientPerson>(
    `WITH client AS (SELECT id, name FROM clients WHERE id = $1),
          person AS (INSERT INTO people (client_id, email, name, role)
                     SELECT id, $2, $3, $4 FROM client RETURNING *),
          session AS (INSERT INTO sessions (person_id, hash, ends_at, address, user_agent)
                      SELECT id, $5, now() + interval '14 days', '127.0.0.1', 'a test' FROM person RETURNING id)
     SELECT person.id, client.id AS "clientId", client.name AS "clientName", person.name, person.email, person.role,
            session.id AS "sessionId", '127.0.0.1' AS address
       FROM client, person, session`,
    [clientId, email, `Test ${role}`, role, hash],
  );
  if (rows.length === 0) throw new Error(`There is no client ${clientId}.`);
  const cookie = `session=${token}`;
  return {
    person: rows[0]!,
    cookie,
    get: (path) => request(test.url).get(path).set('Cookie', cookie),
    post: (path, fields = {}) =>
      request(test.url)
        .post(path)
        .set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
        .type('form')
        .send(formOf(fields)),
  };
}

/** A field that is there several times is one of a list, as checkboxes are. */
function formOf(fields: Record<string, string | string[]>): string {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  return new URLSearchParams(pairs as [string, string][]).toString();
}
