import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitModule } from '../platform/rate-limit/rate-limiter.js';
import { IgnoredParameters } from '../platform/validation/ignored-parameters.js';
import { PlansModule } from '../plans/plans.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { MailModule } from '../mail/mail.module.js';
import { AccessGuard, CREDENTIALS, type Credentials } from './access/access.guard.js';
import { SessionCredential } from './access/session.credential.js';
import { StoreTokenCredential } from './access/store-token.credential.js';
import { ClientAdministration } from './clients/client-administration.js';
import { ClientFinder } from './clients/client-finder.js';
import { Client } from './clients/client.entity.js';
import { LinkUse } from './links/link-use.js';
import { PersonLink } from './links/person-link.entity.js';
import { PersonLinks } from './links/person-links.js';
import { ResetRequests } from './links/reset-requests.js';
import { NewClients } from './new-clients.js';
import { OwnPassword } from './passwords/own-password.js';
import { PasswordWork } from './passwords/password-work.js';
import { NewPeople } from './people/new-people.js';
import { PeopleAdministration } from './people/people-administration.js';
import { PeopleList, PersonFinder } from './people/people-list.js';
import { Person } from './people/person.entity.js';
import { PersonMail } from './people/person-mail.js';
import { BrowserCookies } from './sessions/browser-cookies.js';
import { Session } from './sessions/session.entity.js';
import { Sessions } from './sessions/sessions.js';
import { SecondStep } from './sign-in/second-step.entity.js';
import { SignInAttempt } from './sign-in/sign-in-attempt.entity.js';
import { SignInLimits } from './sign-in/sign-in-limits.js';
import { SignIn } from './sign-in/sign-in.js';
import { SubscriptionAdministration } from './subscriptions/subscription-administration.js';
import { Subscription } from './subscriptions/subscription.entity.js';
import { ClientDomain } from './tokens/client-domain.entity.js';
import { ClientDomains } from './tokens/client-domains.js';
import { ClientTokens } from './tokens/client-tokens.js';
import { TokenAdministration } from './tokens/token-administration.js';
import { TokenOverview } from './tokens/token-overview.js';
import { TokenUse } from './tokens/token-use.entity.js';
import { TokenUses } from './tokens/token-uses.js';
import { Token } from './tokens/token.entity.js';
import { RecoveryCode } from './two-factor/recovery-code.entity.js';
import { TwoFactor } from './two-factor/two-factor.js';

/** What the doors and the rooms above use. */
const SERVICES = [
  BrowserCookies,
  ClientAdministration,
  ClientDomains,
  ClientFinder,
  ClientTokens,
  LinkUse,
  NewClients,
  OwnPassword,
  PasswordWork,
  PeopleAdministration,
  PeopleList,
  PersonFinder,
  ResetRequests,
  SessionCredential,
  Sessions,
  SignIn,
  SubscriptionAdministration,
  TokenAdministration,
  TokenOverview,
  TokenUses,
  TwoFactor,
];

@Module({
  imports: [
    AuditModule,
    MailModule,
    PlansModule,
    RateLimitModule,
    TypeOrmModule.forFeature([
      Client,
      ClientDomain,
      Person,
      PersonLink,
      RecoveryCode,
      SecondStep,
      Session,
      SignInAttempt,
      Subscription,
      Token,
      TokenUse,
    ]),
  ],
  providers: [
    ...SERVICES,
    NewPeople,
    PersonLinks,
    PersonMail,
    SignInLimits,
    StoreTokenCredential,
    {
      provide: CREDENTIALS,
      useFactory: (storeToken: StoreTokenCredential, session: SessionCredential): Credentials => ({
        'store token': storeToken,
        session,
      }),
      inject: [StoreTokenCredential, SessionCredential],
    },
    { provide: APP_GUARD, useClass: AccessGuard },
    // Runs after the access check, so strangers learn nothing about parameters.
    { provide: APP_GUARD, useClass: IgnoredParameters },
  ],
  exports: [AuditModule, ...SERVICES],
})
export class AuthModule {}
