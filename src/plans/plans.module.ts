import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportsModule } from '../imports/imports.module.js';
import { Change } from './changes/change.entity.js';
import { ChangeLog } from './changes/change-log.js';
import { ClientPlans } from './client-plans.js';
import { PlanAdministration } from './plan-administration.js';
import { Plan } from './plan.entity.js';
import { PlanService } from './plan.service.js';
import { PlanPrice } from './prices/plan-price.entity.js';
import { PriceFiles } from './prices/price-files.js';

@Module({
  imports: [ImportsModule, TypeOrmModule.forFeature([Change, Plan, PlanPrice])],
  providers: [ChangeLog, ClientPlans, PlanAdministration, PlanService, PriceFiles],
  exports: [ChangeLog, ClientPlans, PlanAdministration, PlanService, PriceFiles],
})
export class PlansModule {}
