import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { showEnd } from '../../platform/validation/instant.js';
import { readLine } from '../../platform/validation/operator-text.js';
import { clientNotFound } from './client-not-found.js';
import {
  SubscriptionAdministration,
  type SubscriptionTerms,
} from '../subscriptions/subscription-administration.js';
import { TokenAdministration, type TokenListed } from '../tokens/token-administration.js';

const INSERT = {
  name: 'client-insert',
  text: 'INSERT INTO clients (name, email) VALUES ($1, $2) RETURNING id',
};

const SET = {
  name: 'client-set',
  text: `
    UPDATE clients SET name = coalesce($2, name), email = coalesce($3, email) WHERE id = $1
    RETURNING id AS client_id, name, email, suspended_at`,
};

/** A client that was suspended before keeps the time at which that happened. */
const SUSPEND = {
  name: 'client-suspend',
  text: `
    UPDATE clients SET suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, now()) END WHERE id = $1
    RETURNING id AS client_id, name, email, suspended_at`,
};

const LISTED = `
  SELECT c.id AS client_id, c.name, c.email, c.suspended_at, c.created_at, s.code AS plan, s.starts_at AS "startsAt", s.ends_at AS "endsAt"
    FROM clients c
    LEFT JOIN LATERAL (
      SELECT p.code, s.starts_at, s.ends_at FROM subscriptions s JOIN plans p ON p.id = s.plan_id
       WHERE s.client_id = c.id
       -- the one that is active, else the next one, else the last one
       ORDER BY s.ends_at > now() DESC, CASE WHEN s.ends_at > now() THEN s.starts_at END, s.ends_at DESC
       LIMIT 1) s ON true`;

const LIST = { name: 'client-list', text: `${LISTED} ORDER BY c.id` };
const FIND = { name: 'client-find', text: `${LISTED} WHERE c.id = $1` };

const EMAIL = /^[^\s@]+@[^\s@]+$/;

interface ClientRow {
  client_id: number;
  name: string;
  email: string;
  suspended_at: Date | null;
}

interface ListedRow extends ClientRow {
  created_at: Date;
  plan: string | null;
  startsAt: Date | null;
  endsAt: Date | null;
}

export interface SubscriptionShown {
  plan: string;
  from: string;
  until: string;
  active: boolean;
}

export interface ClientListed extends ClientRow {
  created_at: Date;
  subscription: SubscriptionShown | null;
}

export interface ClientAdded {
  client_id: number;
  token_id: number;
  token: string;
  domain: string;
  plan: string;
  from: string;
  until: string;
}

type NewClient = { name: string; email: string; domain: string } & SubscriptionTerms;

@Injectable()
export class ClientAdministration {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokenAdministration,
    private readonly subscriptions: SubscriptionAdministration,
  ) {}

  /** The client with all it needs for its first call, or nothing at all. */
  add(given: NewClient): Promise<ClientAdded> {
    const name = readLine('name', given.name, 200);
    const email = readEmail(given.email);
    return this.database.transaction(async (transaction) => {
      const [client] = await transaction.query<{ id: number }>(INSERT, [name, email]);
      const { plan, from, until } = await this.subscriptions.setWithin(transaction, client!.id, given);
      const { token_id, token, domain } = await this.tokens.issueWithin(
        transaction,
        client!.id,
        given.domain,
      );
      return { client_id: client!.id, token_id, token, domain, plan, from, until };
    });
  }

  async list(): Promise<ClientListed[]> {
    return (await this.database.query<ListedRow>(LIST, [])).map(toListed);
  }

  async show(clientId: number): Promise<ClientListed & { tokens: TokenListed[] }> {
    const client = one(clientId, await this.database.query<ListedRow>(FIND, [clientId]));
    return { ...toListed(client), tokens: await this.tokens.list(clientId) };
  }

  async set(clientId: number, { name, email }: { name?: string; email?: string }): Promise<ClientRow> {
    const values = [
      clientId,
      name === undefined ? null : readLine('name', name, 200),
      email === undefined ? null : readEmail(email),
    ];
    return one(clientId, await this.database.query<ClientRow>(SET, values));
  }

  async suspend(clientId: number): Promise<ClientRow> {
    return one(clientId, await this.database.query<ClientRow>(SUSPEND, [clientId, true]));
  }

  async resume(clientId: number): Promise<ClientRow> {
    return one(clientId, await this.database.query<ClientRow>(SUSPEND, [clientId, false]));
  }
}

function one<Row>(clientId: number, [row]: Row[]): Row {
  if (!row) throw clientNotFound(clientId);
  return row;
}

function readEmail(text: string): string {
  const email = readLine('e-mail address', text, 254);
  if (!EMAIL.test(email))
    throw new DomainError('invalid_value', 'The e-mail address must look like name@example.com.');
  return email;
}

function toListed({ plan, startsAt, endsAt, ...client }: ListedRow): ClientListed {
  if (plan === null || startsAt === null || endsAt === null) return { ...client, subscription: null };
  const now = Date.now();
  const active = startsAt.getTime() <= now && endsAt.getTime() > now;
  return { ...client, subscription: { plan, from: startsAt.toISOString(), until: showEnd(endsAt), active } };
}
