import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { SecurityController } from './security/security.controller.js';
import { TwoFactorController } from './security/two-factor.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignOutController } from './sign-in/sign-out.controller.js';
import { UnknownPageController } from './unknown-page.controller.js';

/** The door of the clients' people. Express tries the pages in this order, and what is no page comes last. */
@Module({
  imports: [AuthModule, RateLimitModule],
  controllers: [
    SignInController,
    SignOutController,
    SecurityController,
    TwoFactorController,
    UnknownPageController,
  ],
})
export class DashboardDoorModule {}
