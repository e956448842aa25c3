import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { Client, TokenUse, Token } from '../clients/client.entity.js';
import { ClientsModule } from '../clients/clients.module.js';
import { PeopleModule } from '../people/people.module.js';
import { PersonLink, Person, SecondStep, Session } from '../people/person.entity.js';
import { AdminAnswer } from '../../platform/http/admin-answer.entity.js';
import { UnreadBodies } from '../../platform/http/bodies.js';
import { IgnoredParameters } from '../../platform/validation/ignored-parameters.js';
import { AdminKey } from './keys/admin-key.entity.js';
import { AdminKeysService } from './keys/admin-keys.service.js';
import { AccessGuard, CREDENTIALS, type Credentials } from './guard/access.guard.js';
import { AdminKeyCredentialService } from './guard/admin-key-credential.service.js';
import { SessionCredentialService } from './guard/session-credential.service.js';
import { StoreTokenCredentialService } from './guard/store-token-credential.service.js';
import { NewClientsService } from './new-clients.service.js';
import { BrowserCookiesService } from './sessions/browser-cookies.service.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { LinkUseService } from './sign-in/link-use.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { ClientTokensService } from './tokens/client-tokens.service.js';
import { TokenAdministrationService } from './tokens/token-administration.service.js';
import { TokenUsesRepository } from './tokens/token-uses.repository.js';
import { TokenUsesService } from './tokens/token-uses.service.js';
import { AdminTokensController } from './admin/admin-tokens.controller.js';
import { InvoicesModule } from '../invoices/invoices.module.js';

const SERVICES = [
  AdminKeysService,
  BrowserCookiesService,
  ClientTokensService,
  LinkUseService,
  NewClientsService,
  SessionCredentialService,
  SessionsService,
  SignInService,
  TokenAdministrationService,
];

/** Checks the caller: a store with a token, or a person with a session. No module imports it. */
@Module({
  imports: [
    InvoicesModule,
    AuditModule,
    ClientsModule,
    PeopleModule,
    TypeOrmModule.forFeature([
      AdminAnswer,
      AdminKey,
      Client,
      Person,
      PersonLink,
      SecondStep,
      Session,
      Token,
      TokenUse,
    ]),
  ],
  controllers: [AdminTokensController],
  providers: [
    ...SERVICES,
    AdminKeyCredentialService,
    SessionsRepository,
    StoreTokenCredentialService,
    TokenUsesRepository,
    TokenUsesService,
    {
      provide: CREDENTIALS,
      useFactory: (
        storeToken: StoreTokenCredentialService,
        session: SessionCredentialService,
        adminKey: AdminKeyCredentialService,
      ): Credentials => ({
        'store token': storeToken,
        session,
        'admin key': adminKey,
      }),
      inject: [StoreTokenCredentialService, SessionCredentialService, AdminKeyCredentialService],
    },
    { provide: APP_GUARD, useClass: AccessGuard },
    // Runs after the access check, so anonymous callers learn nothing about parameters.
    { provide: APP_GUARD, useClass: IgnoredParameters },
    { provide: APP_GUARD, useClass: UnreadBodies },
  ],
  exports: SERVICES,
})
export class AuthModule {}
