import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PersonLink } from './links/person-link.entity.js';
import { PersonLinks } from './links/person-links.service.js';
import { ResetRequests } from './links/reset-requests.service.js';
import { NewPeople } from './new-people.service.js';
import { OwnPassword } from './passwords/own-password.service.js';
import { PasswordWork } from './passwords/password-work.service.js';
import { PeopleAdministration } from './people-administration.service.js';
import { PeopleList } from './people-list.service.js';
import { PersonMail } from './person-mail.service.js';
import { Person } from './person.entity.js';
import { SecondStep } from './second-step.entity.js';
import { Session } from './session.entity.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';
import { SignInLimits } from './sign-in-limits.service.js';
import { RecoveryCode } from './two-factor/recovery-code.entity.js';
import { TwoFactor } from './two-factor/two-factor.service.js';

const SERVICES = [
  NewPeople,
  OwnPassword,
  PasswordWork,
  PeopleAdministration,
  PeopleList,
  ResetRequests,
  SignInLimits,
  TwoFactor,
];

/** People with their passwords, links and second steps, and the rows of their sessions. */
@Module({
  imports: [
    AuditModule,
    MailModule,
    TypeOrmModule.forFeature([Person, PersonLink, RecoveryCode, SecondStep, Session, SignInAttempt]),
  ],
  providers: [...SERVICES, PersonLinks, PersonMail],
  exports: SERVICES,
})
export class PeopleModule {}
