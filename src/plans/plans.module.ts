import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportsModule } from '../imports/imports.module.js';
import { Change } from './change.entity.js';
import { ChangeLog } from './change-log.repository.js';
import { PlanAdministration } from './plan-administration.service.js';
import { Plan } from './plan.entity.js';
import { PlanPrice } from './plan-price.entity.js';
import { PlanService } from './plan.service.js';
import { PriceFiles } from './price-files.service.js';

const SERVICES = [ChangeLog, PlanAdministration, PlanService, PriceFiles];

@Module({
  imports: [ImportsModule, TypeOrmModule.forFeature([Change, Plan, PlanPrice])],
  providers: SERVICES,
  exports: SERVICES,
})
export class PlansModule {}
