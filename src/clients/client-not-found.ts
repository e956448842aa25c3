import { Refusal } from '../errors/refusal.js';

export function clientNotFound(clientId: number): Refusal {
  return new Refusal('client_not_found', `There is no client ${clientId}.`);
}
