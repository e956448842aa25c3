import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { LinkController } from './links/link.controller.js';
import { ResetController } from './links/reset.controller.js';
import { PeopleController } from './people/people.controller.js';
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
    PeopleController,
    LinkController,
    ResetController,
    UnknownPageController,
  ],
})
export class DashboardDoorModule {}
