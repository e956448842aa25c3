import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type EntityManager, IsNull } from 'typeorm';
import { Token, TokenUse } from '../modules/clients/client.entity.js';
import { csvSource } from '../shared/imports/csv-source.js';
import type { RecordSource } from '../shared/imports/record-source.js';
import { hashPassword } from '../modules/people/passwords/password-hash.js';
import { PersonLink, Person } from '../modules/people/person.entity.js';
import type { Transaction } from '../platform/database/database.js';
import { DAY_MS } from '../platform/time/time.js';

export const DEMO_ACTOR = 'demo';

/** No request waits for the demo. On a busy machine it takes longer than a request may. */
export const DEMO_TIMEOUT_MS = 60_000;

export const DOMAIN = 'demo-store.example.com';

export const STORE = { name: 'Demo Store', email: 'owner@demo-store.example.com' };

/** Made-up GSTINs: no PAN has such digits. */
export const STORE_BILLING = {
  gstin: '29AAAAA0000A1ZY',
  billingAddress: '100 Feet Road, Indiranagar, Bengaluru 560038',
};

export const SELLER = {
  name: 'Demo Wholesale',
  gstin: '27AAAAA0000A1Z2',
  address: '12 Crawford Market, Mumbai 400001',
};

/** The credentials of the dashboard and of the desk. */
export interface DemoSignIn {
  email: string;
  password: string;
  desk_email: string;
  desk_password: string;
}

export const ADMIN = {
  email: 'admin@demo-wholesale.example.com',
  name: 'Meera Demo',
  role: 'admin',
} as const;
const OWNER = { email: 'owner@demo-store.example.com', name: 'Anaya Demo', role: 'owner' } as const;
const VIEWER = { email: 'viewer@demo-store.example.com', name: 'Vikram Demo', role: 'viewer' } as const;

const PASSWORD_BYTES = 12;

type DemoPerson = Pick<Person, 'email' | 'name' | 'role' | 'passwordHash'>;

/** The store's owner and the wholesaler's admin get random passwords. The database holds only hashes. */
export async function newPeople(): Promise<{ owner: DemoPerson; admin: DemoPerson; signIn: DemoSignIn }> {
  const password = newPassword();
  const deskPassword = newPassword();
  return {
    owner: { ...OWNER, passwordHash: await hashPassword(password) },
    admin: { ...ADMIN, passwordHash: await hashPassword(deskPassword) },
    signIn: { email: OWNER.email, password, desk_email: ADMIN.email, desk_password: deskPassword },
  };
}

const newPassword = () => randomBytes(PASSWORD_BYTES).toString('base64url');

/**
 * Writes an open invitation for the viewer, and a use of the token a few minutes ago. The link of the
 * invitation is unknown, because only a random hash is stored.
 */
export async function addTraces({ manager }: Transaction, clientId: number): Promise<void> {
  const now = Date.now();
  const { identifiers } = await manager.insert(Person, { ...VIEWER, clientId });
  await manager.insert(PersonLink, {
    personId: identifiers[0]!.id as number,
    kind: 'invitation',
    hash: randomBytes(32),
    createdAt: new Date(now - DAY_MS),
    endsAt: new Date(now + 6 * DAY_MS),
  });
  const { id: tokenId } = await manager.findOneByOrFail(Token, { clientId, revokedAt: IsNull() });
  const use = { tokenId, lastUsedAt: new Date(now - 4 * 60_000) };
  await manager.createQueryBuilder().insert().into(TokenUse).values(use).orIgnore().execute();
}

export function hasViewer(manager: EntityManager, clientId: number): Promise<boolean> {
  return manager.existsBy(Person, { clientId, email: VIEWER.email });
}

export async function demoFile(
  name: string,
  change: (text: string) => string = (text) => text,
): Promise<RecordSource> {
  const text = await readFile(new URL(`files/${name}.csv`, import.meta.url), 'utf8');
  const bytes = Buffer.from(change(text));
  return csvSource(Readable.from([bytes]), bytes.length);
}

/** SKUs and names of the demo's file, as the repository takes them. */
export async function demoProducts(): Promise<[skus: string[], names: string[]]> {
  const cells: string[][] = [];
  for await (const { records } of (await demoFile('catalog')).batches())
    for (const record of records) cells.push(record.cells);
  const products = cells.slice(1);
  return [products.map(([sku]) => sku ?? ''), products.map(([, name]) => name ?? '')];
}
