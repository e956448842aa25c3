import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { hashPassword } from '../auth/passwords/password-hash.js';
import { Person } from '../auth/people/person.entity.js';

/** The actor of all that the demo does. */
export const DEMO_ACTOR = 'demo';

export const STORE = { name: 'Demo Store', email: 'owner@demo-store.example.com' };

/** The credentials of the dashboard. */
export interface DemoSignIn {
  email: string;
  password: string;
}

const OWNER = { email: 'owner@demo-store.example.com', name: 'Anaya Demo', role: 'owner' } as const;
const VIEWER = { email: 'viewer@demo-store.example.com', name: 'Vikram Demo', role: 'viewer' } as const;

const PASSWORD_BYTES = 12;

/** The owner gets a random password. The database holds only its hash. */
export async function newOwner(): Promise<DemoSignIn & Pick<Person, 'name' | 'role' | 'passwordHash'>> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  return { ...OWNER, password, passwordHash: await hashPassword(password) };
}

/** The viewer has no password and cannot sign in. */
export async function addViewer(manager: EntityManager, clientId: number): Promise<void> {
  await manager.insert(Person, { ...VIEWER, clientId });
}

export function hasViewer(manager: EntityManager, clientId: number): Promise<boolean> {
  return manager.existsBy(Person, { clientId, email: VIEWER.email });
}
