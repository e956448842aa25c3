import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { isStorableText } from '../../platform/validation/texts.js';
import type { Client } from './client.entity.js';
import { ClientRepository } from './client.repository.js';

const ID = /^\d{1,9}$/;

/** The maximum of candidates in an error message. */
const MAX_NAMED = 10;

/** One more than an error message names, for the words "and more". */
export const MAX_CLIENT_CANDIDATES = MAX_NAMED + 1;

export type NamedClient = Pick<Client, 'id' | 'name' | 'email'>;

/** Finds a client by number, name, e-mail address, the domain of a valid token, or the start of its name. */
@Injectable()
export class ClientFinderService {
  constructor(private readonly clients: ClientRepository) {}

  /** A number is not looked up here: the command that uses it checks it. */
  async find(text: string): Promise<number> {
    const name = text.trim();
    if (ID.test(name)) return Number(name);
    if (!isStorableText(name)) throw new DomainError('client_not_found', 'There is no such client.');
    const exact = await this.clients.findByName(name, MAX_CLIENT_CANDIDATES);
    const matches = exact.length > 0 ? exact : await this.clients.findByPrefix(name, MAX_CLIENT_CANDIDATES);
    if (matches.length === 1) return matches[0]!.id;
    if (matches.length === 0) throw new DomainError('client_not_found', `There is no client "${name}".`);
    throw ambiguousClient(
      exact.length > 0
        ? `Several clients are called "${name}"`
        : `The names of several clients begin with "${name}"`,
      matches,
      'Name the client by its number.',
    );
  }

  /** The same for a client that exists. */
  async findExisting(text: string): Promise<number> {
    const id = await this.find(text);
    await this.check(id);
    return id;
  }

  /** For the filter of a list that may be left out. */
  async findForFilter(text: string | undefined): Promise<number | undefined> {
    return text === undefined ? undefined : this.findExisting(text);
  }

  /** A mistyped number is an error, not an empty list. */
  async check(id: number | undefined): Promise<void> {
    if (id !== undefined) await this.clients.byId(id);
  }

  /** For the filter of a page: the client, or the reason why none matches. */
  async resolveFilter(text: string | undefined): Promise<{ clientId?: number; refusal?: string }> {
    try {
      return { clientId: await this.findForFilter(text) };
    } catch (error) {
      if (isUnclearClient(error)) return { refusal: error.message };
      throw error;
    }
  }

  names(ids: readonly number[]): Promise<Map<number, string>> {
    return this.clients.names(ids);
  }

  byId(id: number): Promise<NamedClient & Pick<Client, 'gstin'>> {
    return this.clients.byId(id);
  }
}

/** Whether no client, or several clients, have a name. */
export const isUnclearClient = (error: unknown): error is DomainError =>
  error instanceof DomainError && (error.code === 'client_not_found' || error.code === 'client_ambiguous');

/** Lists the candidates, with advice on how to choose one. */
export function ambiguousClient(fault: string, matches: NamedClient[], advice: string): DomainError {
  const names = matches.slice(0, MAX_NAMED).map(({ id, name, email }) => `${id} (${name}, ${email})`);
  const more = matches.length > MAX_NAMED ? ' and more' : '';
  return new DomainError('client_ambiguous', `${fault}: ${names.join(', ')}${more}. ${advice}`);
}
