import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { readLine } from '../platform/validation/operator-text.js';
import { parsePercent } from '../platform/money/plan-price.js';

const SET = {
  name: 'plan-set',
  text: `
    INSERT INTO plans (code, name, discount) VALUES ($1, coalesce($2, $1), coalesce($3::numeric, 0))
    ON CONFLICT (code) DO UPDATE SET name = coalesce($2, plans.name), discount = coalesce($3::numeric, plans.discount)
    RETURNING code, name, discount::float8, xmax = 0 AS created`,
};

const LIST = {
  name: 'plan-list',
  text: `
    SELECT p.code, p.name, p.discount::float8,
           (SELECT count(*)::int FROM plan_prices f WHERE f.plan_id = p.id) AS fixed_prices,
           (SELECT count(*)::int FROM subscriptions s
             WHERE s.plan_id = p.id AND s.starts_at <= now() AND s.ends_at > now()) AS active_subscriptions
      FROM plans p
     ORDER BY p.code`,
};

const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

export interface PlanSet {
  code: string;
  name: string;
  discount: number;
  created: boolean;
}

export interface PlanListed {
  code: string;
  name: string;
  discount: number;
  fixed_prices: number;
  active_subscriptions: number;
}

@Injectable()
export class PlanAdministration {
  constructor(private readonly database: Database) {}

  /** Creates the plan or changes what is given of it. A new one has its code for a name and no discount unless told. */
  async set(code: string, { name, discount }: { name?: string; discount?: string }): Promise<PlanSet> {
    if (!CODE.test(code)) {
      throw new DomainError(
        'invalid_value',
        'A plan code has up to 50 letters, digits, dots, hyphens and underscores.',
      );
    }
    const values = [code, name === undefined ? null : readLine('name', name, 200), percent(discount)];
    const [plan] = await this.database.query<PlanSet>(SET, values);
    return plan!;
  }

  list(): Promise<PlanListed[]> {
    return this.database.query<PlanListed>(LIST, []);
  }
}

function percent(text: string | undefined): number | null {
  if (text === undefined) return null;
  const parsed = parsePercent(text.replace(/%$/, ''));
  if ('fault' in parsed) throw new DomainError('invalid_value', `The discount ${parsed.fault}.`);
  return parsed.basisPoints / 100;
}
