import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { showEnd } from '../../platform/validation/instant.js';
import { clientNotFound } from '../clients/client-not-found.js';

/** Those who change a client's subscriptions take turns. */
const LOCK_CLIENT = {
  name: 'subscription-lock-client',
  text: 'SELECT id FROM clients WHERE id = $1 FOR NO KEY UPDATE',
};

const FIND_PLAN = { name: 'subscription-find-plan', text: 'SELECT id FROM plans WHERE code = $1' };

/** Without a start a subscription to the plan that is active already goes on; another one begins now. */
const BEGIN = {
  name: 'subscription-begin',
  text: `
    SELECT coalesce(
      (SELECT starts_at FROM subscriptions
        WHERE client_id = $1 AND plan_id = $2 AND starts_at <= now() AND ends_at > now()), now()) AS "startsAt"`,
};

const DROP_LATER = {
  name: 'subscription-drop-later',
  text: 'DELETE FROM subscriptions WHERE client_id = $1 AND starts_at >= $2',
};

const CUT_OFF = {
  name: 'subscription-cut-off',
  text: 'UPDATE subscriptions SET ends_at = $2 WHERE client_id = $1 AND starts_at < $2 AND ends_at > $2',
};

const INSERT = {
  name: 'subscription-insert',
  text: 'INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at) VALUES ($1, $2, $3, $4)',
};

const END = {
  name: 'subscription-end',
  text: `
    WITH dropped AS (DELETE FROM subscriptions WHERE client_id = $1 AND starts_at >= now() RETURNING id),
         ended AS (
           UPDATE subscriptions SET ends_at = now() WHERE client_id = $1 AND starts_at < now() AND ends_at > now() RETURNING id)
    SELECT now() AS "endedAt" FROM (SELECT FROM dropped UNION ALL SELECT FROM ended) AS touched LIMIT 1`,
};

export interface SubscriptionTerms {
  plan: string;
  from?: Date;
  until: Date;
}

export interface SubscriptionSet {
  client_id: number;
  plan: string;
  from: string;
  until: string;
}

@Injectable()
export class SubscriptionAdministration {
  constructor(private readonly database: Database) {}

  set(clientId: number, terms: SubscriptionTerms): Promise<SubscriptionSet> {
    return this.database.transaction((transaction) => this.setWithin(transaction, clientId, terms));
  }

  /** From its start on this is the client's subscription: what ran then ends, and what was to come is dropped. */
  async setWithin(
    transaction: Transaction,
    clientId: number,
    terms: SubscriptionTerms,
  ): Promise<SubscriptionSet> {
    await lockClient(transaction, clientId);
    const planId = await findPlan(transaction, terms.plan);
    const from = terms.from ?? (await begin(transaction, clientId, planId));
    if (terms.until <= from) {
      throw new DomainError(
        'invalid_value',
        `The subscription would end before it starts (${from.toISOString()}).`,
      );
    }
    await transaction.query(DROP_LATER, [clientId, from]);
    await transaction.query(CUT_OFF, [clientId, from]);
    await transaction.query(INSERT, [clientId, planId, from, terms.until]);
    return { client_id: clientId, plan: terms.plan, from: from.toISOString(), until: showEnd(terms.until) };
  }

  end(clientId: number): Promise<{ client_id: number; ended_at: Date }> {
    return this.database.transaction(async (transaction) => {
      await lockClient(transaction, clientId);
      const [ended] = await transaction.query<{ endedAt: Date }>(END, [clientId]);
      if (!ended) throw new DomainError('conflict', `Client ${clientId} has no subscription that could end.`);
      return { client_id: clientId, ended_at: ended.endedAt };
    });
  }
}

async function lockClient(transaction: Transaction, clientId: number): Promise<void> {
  const [client] = await transaction.query(LOCK_CLIENT, [clientId]);
  if (!client) throw clientNotFound(clientId);
}

async function findPlan(transaction: Transaction, code: string): Promise<number> {
  const [plan] = await transaction.query<{ id: number }>(FIND_PLAN, [code]);
  if (!plan) throw new DomainError('plan_not_found', `There is no plan "${code}".`);
  return plan.id;
}

async function begin(transaction: Transaction, clientId: number, planId: number): Promise<Date> {
  const [row] = await transaction.query<{ startsAt: Date }>(BEGIN, [clientId, planId]);
  return row!.startsAt;
}
