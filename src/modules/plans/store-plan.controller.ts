import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/access/access.decorators.js';
import { TOKEN_KINDS } from '../../platform/access/token-kind.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import type { Visitor } from '../../read-model/callers/caller.js';
import { PlanResponse } from './plan.response.js';
import { PlanService } from './plan.service.js';

@ApiTags('Account')
@Controller('api/plan')
export class PlanController {
  constructor(private readonly plans: PlanService) {}

  @StoreRoute({
    method: 'GET',
    subscription: 'not required',
    tokens: TOKEN_KINDS,
    operationId: 'getPlan',
    summary: 'What is my plan?',
    description:
      'The plan and the dates of the subscription that began last, active or not, else of the next one. ' +
      'Works without an active subscription.',
    slot: 'none',
    answer: { type: PlanResponse },
  })
  read(@CurrentCaller() visitor: Visitor): PlanResponse {
    return this.plans.describe(visitor);
  }
}
