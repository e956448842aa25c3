import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { ClientAdministrationService } from './client-administration.service.js';
import { ClientDomainsService } from './client-domains.service.js';
import { ClientFinderService } from './client-finder.service.js';
import { ClientDomain, Client, Subscription, TokenUse, Token } from './client.entity.js';
import { ClientRepository } from './client.repository.js';
import { SubscriptionAdministrationService } from './subscription-administration.service.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { AdminClientsController } from './admin/admin-clients.controller.js';
import { AdminPlansController } from './admin/admin-plans.controller.js';
import { PlansModule } from '../plans/plans.module.js';

const SERVICES = [
  ClientAdministrationService,
  ClientDomainsService,
  ClientFinderService,
  SubscriptionAdministrationService,
];

/** The stores that buy, with their subscriptions, domains and the rows of their tokens. */
@Module({
  imports: [
    PlansModule,
    AuditModule,
    TypeOrmModule.forFeature([Client, ClientDomain, Subscription, Token, TokenUse]),
  ],
  controllers: [AdminClientsController, AdminPlansController],
  providers: [...SERVICES, ClientRepository, SubscriptionRepository],
  exports: SERVICES,
})
export class ClientsModule {}
