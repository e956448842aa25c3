import { Injectable } from '@nestjs/common';
import { actAs, Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { parsePercent } from '../platform/money/plan-price.js';
import { readLine } from '../platform/validation/texts.js';
import { Plan } from './plan.entity.js';

const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

interface PlanShown {
  code: string;
  name: string;
  discount: number;
}

export interface PlanSet extends PlanShown {
  created: boolean;
}

@Injectable()
export class PlanAdministration {
  constructor(private readonly database: Database) {}

  /** Creates or changes a plan. Defaults of a new plan: its code as name, no discount. */
  async set(
    code: string,
    { name, discount }: { name?: string; discount?: string },
    actor: string,
  ): Promise<PlanSet> {
    checkCode(code);
    const given = {
      ...(name !== undefined && { name: readLine('name', name, 200) }),
      ...(discount !== undefined && { discount: readPercent(discount) }),
    };
    return this.database.transaction(async (transaction) => {
      await actAs(transaction, actor);
      const plans = transaction.manager.getRepository(Plan);
      // If two commands create the same plan at once, the second waits here and then changes it.
      const { raw } = await plans
        .createQueryBuilder()
        .insert()
        .values({ code, name: code, discount: '0', ...given })
        .orIgnore()
        .execute();
      const created = (raw as unknown[]).length > 0;
      if (!created && Object.keys(given).length > 0) await plans.update({ code }, given);
      const plan = await plans.findOneByOrFail({ code });
      return { code, name: plan.name, discount: Number(plan.discount), created };
    });
  }
}

function checkCode(code: string): void {
  if (CODE.test(code)) return;
  throw new DomainError(
    'invalid_value',
    'A plan code has up to 50 letters, digits, dots, hyphens and underscores.',
  );
}

function readPercent(text: string): string {
  const parsed = parsePercent(text.replace(/%$/, ''));
  if ('fault' in parsed) throw new DomainError('invalid_value', `The discount ${parsed.fault}.`);
  return String(parsed.basisPoints / 100);
}
