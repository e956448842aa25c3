import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { actAs, Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { parsePercent } from '../../read-model/products/plan-price.js';
import { readLine } from '../../platform/validation/texts.js';
import { Plan } from './plan.entity.js';
import type { Scheduled } from './price-schedules.repository.js';
import { type Dates, PriceSchedules } from './price-schedules.service.js';

const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

interface PlanShown {
  code: string;
  name: string;
  discount: number;
}

interface PlanSet extends PlanShown {
  created: boolean;
}

interface PlanValues {
  name?: string;
  discount?: string;
}

type DiscountScheduled = Scheduled & { code: string; old: number; new: number };

@Injectable()
export class PlanAdministration {
  constructor(
    private readonly database: Database,
    private readonly schedules: PriceSchedules,
    private readonly audit: AuditLog,
    @InjectRepository(Plan) private readonly plans: Repository<Plan>,
  ) {}

  /**
   * Creates or changes a plan. Defaults of a new plan: its code as name, no discount. `expected` has the
   * values that a person saw: a plan that has other ones now stays unchanged. With `new`, every existing plan
   * does.
   */
  async set(
    code: string,
    { name, discount }: PlanValues,
    actor: string,
    expected?: Pick<PlanShown, 'name' | 'discount'> | 'new',
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
      if (expected === 'new' && !created) throw planTaken(code);
      if (expected && expected !== 'new') await refuseIfChanged(plans, code, expected);
      if (!created && Object.keys(given).length > 0) await plans.update({ code }, given);
      const plan = await plans.findOneByOrFail({ code });
      const deed = { action: created ? 'plan.created' : 'plan.changed', subject: `plan ${code}` } as const;
      if (created || Object.keys(given).length > 0)
        await this.audit.recordWithin(transaction, { ...deed, details: given, actor, clientId: null });
      return { code, name: plan.name, discount: Number(plan.discount), created };
    });
  }

  /** What `set` would make of a new plan, or its refusal. */
  async previewNew(code: string, { name, discount }: Required<PlanValues>): Promise<PlanShown> {
    checkCode(code);
    const shown = { code, name: readLine('name', name, 200), discount: Number(readPercent(discount)) };
    if (await this.plans.existsBy({ code })) throw planTaken(code);
    return shown;
  }

  /** A discount that begins later. */
  async schedule(
    code: string,
    { name, discount }: PlanValues,
    dates: Dates,
    actor: string,
  ): Promise<DiscountScheduled> {
    const period = await this.schedules.periodOf(dates);
    if (!period || discount === undefined || name !== undefined)
      throw new DomainError('invalid_value', 'Only a discount can have a date: --discount with --from.');
    const value = readPercent(discount);
    return this.database.transaction(async (transaction) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const plan = await transaction.manager.findOne(Plan, { where: { code }, lock });
      if (!plan) throw planNotFound(code);
      const scheduled = await this.schedules.add(transaction, { planId: plan.id, value, period, actor });
      return { ...scheduled, code, old: Number(plan.discount), new: Number(value) };
    });
  }
}

async function refuseIfChanged(
  plans: Repository<Plan>,
  code: string,
  expected: Pick<PlanShown, 'name' | 'discount'>,
): Promise<void> {
  const plan = await plans.findOneOrFail({ where: { code }, lock: { mode: 'for_no_key_update' } });
  if (plan.name === expected.name && Number(plan.discount) === expected.discount) return;
  const now = `${plan.name} with ${Number(plan.discount)} % off`;
  const before = `${expected.name} with ${expected.discount} % off`;
  throw new DomainError('conflict', `Plan ${code} is ${now} now; it was ${before}. Nothing was changed.`);
}

export function planNotFound(code: string): DomainError {
  return new DomainError('plan_not_found', `There is no plan "${code}".`);
}

function planTaken(code: string): DomainError {
  const errors = [{ field: 'code', code: 'taken', message: 'is a plan already' }];
  return new DomainError('conflict', `There is a plan ${code} already. Choose another code.`, { errors });
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
