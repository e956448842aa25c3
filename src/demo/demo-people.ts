import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { hashPassword } from '../auth/passwords/password-hash.js';
import { Person } from '../auth/people/person.entity.js';

/** With what somebody signs in to the dashboard. */
export interface DemoSignIn {
  email: string;
  password: string;
}

const OWNER = { email: 'owner@demo-store.example.com', name: 'Anaya Demo', role: 'owner' } as const;
const VIEWER = { email: 'viewer@demo-store.example.com', name: 'Vikram Demo', role: 'viewer' } as const;

const PASSWORD_BYTES = 12;

/** The store's owner, with a password that nobody could guess. Only its hash is in the database. */
export async function addOwner(manager: EntityManager, clientId: number): Promise<DemoSignIn> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  await manager.insert(Person, { ...OWNER, clientId, passwordHash: await hashPassword(password) });
  return { email: OWNER.email, password };
}

/** Somebody to be seen among the people, who cannot sign in. */
export async function addViewer(manager: EntityManager, clientId: number): Promise<void> {
  await manager.insert(Person, { ...VIEWER, clientId });
}

export function hasViewer(manager: EntityManager, clientId: number): Promise<boolean> {
  return manager.existsBy(Person, { clientId, email: VIEWER.email });
}
