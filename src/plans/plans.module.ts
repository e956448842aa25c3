import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportsModule } from '../imports/imports.module.js';
import { PlanAdministration } from './plan-administration.js';
import { Plan } from './plan.entity.js';
import { PlanService } from './plan.service.js';
import { PlanPrice } from './prices/plan-price.entity.js';
import { PriceFiles } from './prices/price-files.js';

@Module({
  imports: [ImportsModule, TypeOrmModule.forFeature([Plan, PlanPrice])],
  providers: [PlanAdministration, PlanService, PriceFiles],
  exports: [PlanAdministration, PlanService, PriceFiles],
})
export class PlansModule {}
