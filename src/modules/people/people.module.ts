import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { MailModule } from '../../shared/mail/mail.module.js';
import { PersonLinksService } from './links/person-links.service.js';
import { ResetRequestsService } from './links/reset-requests.service.js';
import { NewPeopleService } from './new-people.service.js';
import { OwnPasswordService } from './passwords/own-password.service.js';
import { PasswordWorkService } from './passwords/password-work.service.js';
import { PeopleAdministrationService } from './people-administration.service.js';
import { PeopleListService } from './people-list.service.js';
import { PersonMailService } from './person-mail.service.js';
import { PersonLink, Person, SecondStep, RecoveryCode, Session, SignInAttempt } from './person.entity.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';
import { AdminAuditController } from './admin/admin-audit.controller.js';
import { AdminPeopleController } from './admin/admin-people.controller.js';
import { ClientsModule } from '../clients/clients.module.js';

const SERVICES = [
  NewPeopleService,
  OwnPasswordService,
  PasswordWorkService,
  PeopleAdministrationService,
  PeopleListService,
  ResetRequestsService,
  SignInLimitsService,
  TwoFactorService,
];

/** People with their passwords, links and second steps, and the rows of their sessions. */
@Module({
  imports: [
    ClientsModule,
    AuditModule,
    MailModule,
    TypeOrmModule.forFeature([Person, PersonLink, RecoveryCode, SecondStep, Session, SignInAttempt]),
  ],
  controllers: [AdminAuditController, AdminPeopleController],
  providers: [...SERVICES, PersonLinksService, PersonMailService, SignInAttemptsRepository],
  exports: SERVICES,
})
export class PeopleModule {}
