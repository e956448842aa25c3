import { Controller, Inject, Param } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { AdminRoute, answerWith, CheckedBody } from '../../../platform/http/admin-route.js';
import { CountField, TimeField } from '../../../platform/http/answer-fields.decorator.js';
import { inSnakeCase } from '../../../platform/snake-case.js';
import { OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import { OptionalEnd, ReadText, readPeriodOf } from '../../../platform/validation/typed-fields.decorator.js';
import { PriceStart } from '../../../shared/imports/admin/import-query.js';
import { PlanAdministration } from '../../plans/plan-administration.service.js';
import { PLAN_FIELDS, planAnswer } from '../../plans/plan-fields.js';
import { SubscriptionAdministrationService } from '../subscription-administration.service.js';

@ApiSchema({ name: 'SetPlan' })
class SetPlanRequest {
  @OptionalText({ max: PLAN_FIELDS.name.maxLength, description: PLAN_FIELDS.name.hint, example: 'Growth' })
  name?: string;

  @ReadText({
    read: (text) => text,
    mustBe: 'a percentage',
    description: `${PLAN_FIELDS.discount.label}: a number, or a text such as "12.5".`,
    type: Number,
    example: 12.5,
  })
  discount?: string;

  @PriceStart('the discount') from?: string;
  @OptionalEnd('When the earlier discount returns.') to?: string;
}

class PlanCodeResponse {
  @ApiProperty({ description: 'The code of the plan.', example: 'growth' }) code: string;
}

@ApiSchema({ name: 'AdminPlan' })
class AdminPlanResponse extends PlanCodeResponse {
  @ApiProperty({ description: 'Its name.', example: 'Growth' }) name: string;
  @ApiProperty({ description: 'Percent off the base prices.', example: 12.5 }) discount: number;
  @CountField('Its fixed prices.', 40) fixed_prices: number;
  @CountField('Clients that have it now.', 3) active_subscriptions: number;
}

@ApiSchema({ name: 'AdminPlanChange' })
class AdminPlanChangeResponse extends PlanCodeResponse {
  @ApiProperty({ description: 'Its name; not with dates.', required: false, example: 'Growth' })
  name?: string;

  @ApiProperty({
    description: 'Percent off the base prices; not with dates.',
    required: false,
    example: 12.5,
  })
  discount?: number;

  @ApiProperty({ description: 'Whether the plan is new; not with dates.', required: false, example: false })
  created?: boolean;

  @ApiProperty({
    description: 'With dates: the number of the scheduled change.',
    required: false,
    example: 7,
  })
  change?: number;

  @ApiProperty({ description: 'With dates: the plan.', required: false, example: 'growth' }) plan?: string;
  @ApiProperty({
    description: 'With dates: how many prices change; 0 for a discount.',
    required: false,
    example: 0,
  })
  prices?: number;

  @TimeField('With dates: when it changes.', '2026-12-01T00:00:00.000Z', { required: false }) from?: Date;
  @ApiProperty({
    description: 'With dates: when the discount of before returns; null if it stays.',
    type: String,
    format: 'date-time',
    nullable: true,
    required: false,
    example: null,
  })
  to?: Date | null;

  @ApiProperty({ description: 'With dates: the discount now.', required: false, example: 10 }) old?: number;
  @ApiProperty({ description: 'With dates: the discount then.', required: false, example: 12.5 })
  new?: number;
}

@ApiSchema({ name: 'AdminPlanDeleted' })
class AdminPlanDeletedResponse extends PlanCodeResponse {
  @CountField('How many fixed prices went with it.', 0) fixed_prices: number;
}

const CODE = { name: 'code', description: 'The code of the plan.', example: 'growth' };

/** It stands here, because clients keep a plan from being deleted. */
@ApiTags('Plans and prices')
@Controller('api/admin/plans')
export class AdminPlansController {
  constructor(
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly plans: PlanAdministration,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: 'staff',
    operationId: 'listPlans',
    summary: 'Lists the plans.',
    answer: { list: AdminPlanResponse, description: 'All plans; there are no further pages.' },
    command: 'plan list',
  })
  async list() {
    const data = inSnakeCase(await this.subscriptions.plans());
    return { ...answerWith(data), has_more: false, next: null };
  }

  @AdminRoute({
    method: 'PUT',
    path: ':code',
    role: 'admin',
    operationId: 'setPlan',
    summary: 'Creates a plan, or changes the given values of a plan.',
    description: 'With `from`, the discount of a plan changes then.',
    parameters: [CODE],
    body: { type: SetPlanRequest },
    answer: { data: AdminPlanChangeResponse, description: 'The plan, or the scheduled change.' },
    errors: ['plan_not_found', 'conflict'],
    command: 'plan set',
  })
  async set(
    @Param('code') code: string,
    @Actor() actor: string,
    @CheckedBody() { from, to, ...change }: SetPlanRequest,
  ) {
    if (from ?? to)
      return answerWith(
        await this.plans.schedule(code, change, readPeriodOf({ from, to }, this.settings.timeZone), actor),
      );
    const plan = await this.plans.set(code, change, actor);
    return answerWith({ code, ...planAnswer(plan), created: plan.created });
  }

  @AdminRoute({
    method: 'DELETE',
    path: ':code',
    role: 'admin',
    operationId: 'deletePlan',
    summary: 'Deletes a plan that no client has or had, with its fixed prices.',
    parameters: [CODE],
    answer: { data: AdminPlanDeletedResponse, description: 'What was deleted.' },
    errors: ['plan_not_found', 'conflict'],
    command: 'plan delete',
  })
  async delete(@Param('code') code: string, @Actor() actor: string) {
    return answerWith(inSnakeCase(await this.subscriptions.deletePlan(code, actor)));
  }
}
