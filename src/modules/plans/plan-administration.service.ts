import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { actAs, Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Plan } from './plan.entity.js';
import {
  PLAN_FIELDS,
  PLAN_NAMES,
  planAsText,
  type PlanChange,
  type PlanValues,
  planWords,
  readPlan,
} from './plan-fields.js';
import type { ScheduleSummary } from './price-schedules.repository.js';
import { type ScheduleDates, PriceSchedules } from './price-schedules.service.js';

/** As `expected` of `set`: no plan with this code may exist. */
export const MUST_BE_NEW = 'new';

const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

interface PlanSet extends PlanValues {
  code: string;
  created: boolean;
}

type DiscountScheduled = ScheduleSummary & { code: string; old: number; new: number };

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
   * values on the page (`planAsText`): if they have changed, nothing is written.
   */
  async set(code: string, change: PlanChange, actor: string, expected?: string): Promise<PlanSet> {
    checkCode(code);
    const values = readPlan(change);
    return this.database.transaction(async (transaction) => {
      await actAs(transaction, actor);
      const plans = transaction.manager.getRepository(Plan);
      // If two commands create the same plan at once, the second waits here and then changes it.
      const { raw } = await plans
        .createQueryBuilder()
        .insert()
        .values({ ...defaultsOf(code), ...values })
        .orIgnore()
        .execute();
      const created = (raw as unknown[]).length > 0;
      if (expected === MUST_BE_NEW && !created) throw planTaken(code);
      if (expected !== undefined && expected !== MUST_BE_NEW) await refuseIfChanged(plans, code, expected);
      if (!created && Object.keys(values).length > 0) await plans.update({ code }, values);
      const plan = await plans.findOneByOrFail({ code });
      const entry = { action: created ? 'plan.created' : 'plan.changed', subject: `plan ${code}` } as const;
      if (created || Object.keys(values).length > 0)
        await this.audit.recordWithin(transaction, { ...entry, details: values, actor, clientId: null });
      return { ...plan, created };
    });
  }

  /** The values that `set` would store for a new plan. Throws if it would refuse them. */
  async previewNew(code: string, change: PlanChange): Promise<PlanValues> {
    checkCode(code);
    const values = { ...defaultsOf(code), ...readPlan(change) };
    if (await this.plans.existsBy({ code })) throw planTaken(code);
    return values;
  }

  async byCode(code: string): Promise<Plan> {
    const plan = CODE.test(code) ? await this.plans.findOneBy({ code }) : null;
    if (!plan) throw planNotFound(code);
    return plan;
  }

  /** A discount that begins later. */
  async schedule(
    code: string,
    change: PlanChange,
    dates: ScheduleDates,
    actor: string,
  ): Promise<DiscountScheduled> {
    const period = await this.schedules.periodOf(dates);
    const { discount: value, ...others } = readPlan(change);
    if (!period || value === undefined || Object.keys(others).length > 0)
      throw new DomainError('invalid_value', 'Only a discount can have a date. Give it and its start.');
    return this.database.transaction(async (transaction) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const plan = await transaction.manager.findOne(Plan, { where: { code }, lock });
      if (!plan) throw planNotFound(code);
      const scheduled = await this.schedules.add(transaction, { planId: plan.id, value, period, actor });
      return { ...scheduled, code, old: Number(plan.discount), new: Number(value) };
    });
  }
}

const defaultsOf = (code: string) => ({ code, name: code, discount: '0' });

async function refuseIfChanged(plans: Repository<Plan>, code: string, expected: string): Promise<void> {
  const plan = await plans.findOneOrFail({ where: { code }, lock: { mode: 'for_no_key_update' } });
  if (planAsText(plan) === expected) return;
  const words = planWords(plan);
  const now = PLAN_NAMES.map((name) => `${PLAN_FIELDS[name].label}: ${words(name)}`).join(', ');
  throw new DomainError(
    'conflict',
    `Another person changed plan ${code} after you opened this page. It now has ${now}. Nothing was changed.`,
  );
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
