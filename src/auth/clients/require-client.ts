import type { EntityManager } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Client } from './client.entity.js';

export function clientNotFound(clientId: number): DomainError {
  return new DomainError('client_not_found', `There is no client ${clientId}.`);
}

/** "Nothing" would be a wrong answer to a mistyped number. */
export async function requireClient(manager: EntityManager, clientId: number): Promise<void> {
  if (!(await manager.existsBy(Client, { id: clientId }))) throw clientNotFound(clientId);
}
