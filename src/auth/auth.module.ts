import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { AccessGuard } from './access.guard.js';
import { AccessService } from './access.service.js';
import { AccountController } from './account.controller.js';
import { AccountService } from './account.service.js';
import { TokenUses } from './token-uses.js';

@Global()
@Module({
  imports: [RateLimitModule],
  controllers: [AccountController],
  providers: [AccessService, AccountService, TokenUses, { provide: APP_GUARD, useClass: AccessGuard }],
  exports: [AccessService],
})
export class AuthModule {}
