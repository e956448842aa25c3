import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { hashPassword } from '../auth/passwords/password-hash.js';
import { Person } from '../auth/people/person.entity.js';

/** The demo's way into the dashboard. */
export interface DemoSignIn {
  email: string;
  password: string;
}

const OWNER = { email: 'owner@demo-store.example.com', name: 'Anaya Demo', role: 'owner' } as const;
const VIEWER = { email: 'viewer@demo-store.example.com', name: 'Vikram Demo', role: 'viewer' } as const;

const PASSWORD_BYTES = 12;

/** The store's owner. Only the hash of the password is for the database. */
export async function newOwner(): Promise<DemoSignIn & Pick<Person, 'name' | 'role' | 'passwordHash'>> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  return { ...OWNER, password, passwordHash: await hashPassword(password) };
}

/** A second person for the list of people, who cannot sign in. */
export async function addViewer(manager: EntityManager, clientId: number): Promise<void> {
  await manager.insert(Person, { ...VIEWER, clientId });
}

export function hasViewer(manager: EntityManager, clientId: number): Promise<boolean> {
  return manager.existsBy(Person, { clientId, email: VIEWER.email });
}
