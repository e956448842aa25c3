import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { ImportsModule } from '../../shared/imports/imports.module.js';
import { ChangeLog } from './change-log.repository.js';
import { PlanAdministration } from './plan-administration.service.js';
import { PlanPricesRepository } from './plan-prices.repository.js';
import { Change, Plan, PlanPrice, PriceSchedule, ScheduledPrice } from './plan.entity.js';
import { PlanService } from './plan.service.js';
import { PriceFiles } from './price-files.service.js';
import { PriceSchedulesRepository } from './price-schedules.repository.js';
import { PriceSchedules } from './price-schedules.service.js';
import { PricesToCome } from './prices-to-come.repository.js';
import { ScheduledPricesJob } from './scheduled-prices-job.service.js';
import { ScheduledPricesRepository } from './scheduled-prices.repository.js';
import { AdminPriceChangesController } from './admin/admin-price-changes.controller.js';
import { AdminPriceFilesController } from './admin/admin-price-files.controller.js';
import { AdminPriceHistoryController } from './admin/admin-price-history.controller.js';
import { PlanController } from './store-plan.controller.js';

const SERVICES = [
  ChangeLog,
  PlanAdministration,
  PlanService,
  PriceFiles,
  PriceSchedules,
  PricesToCome,
  ScheduledPricesJob,
];

@Module({
  imports: [
    AuditModule,
    CatalogModule,
    ImportsModule,
    TypeOrmModule.forFeature([Change, Plan, PlanPrice, PriceSchedule, ScheduledPrice]),
  ],
  controllers: [
    AdminPriceChangesController,
    AdminPriceFilesController,
    AdminPriceHistoryController,
    PlanController,
  ],
  providers: [...SERVICES, PlanPricesRepository, PriceSchedulesRepository, ScheduledPricesRepository],
  exports: SERVICES,
})
export class PlansModule {}
