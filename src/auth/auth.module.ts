import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { AccessService } from './access.service.js';
import { AccountController } from './account.controller.js';
import { AccountService } from './account.service.js';
import { TokenUses } from './token-uses.js';

@Global()
@Module({
  controllers: [AccountController],
  providers: [AccessService, AccountService, TokenUses, { provide: APP_GUARD, useClass: AccessGuard }],
  exports: [AccessService],
})
export class AuthModule {}
