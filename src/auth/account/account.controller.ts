import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/access/access.decorators.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import { AccountResponse, AccountService } from './account.service.js';
import type { Visitor } from '../../read-model/access/caller.js';

@ApiTags('Account')
@Controller('api/account')
export class AccountController {
  constructor(private readonly account: AccountService) {}

  @StoreRoute({
    method: 'GET',
    subscription: 'not required',
    operationId: 'getAccount',
    summary: 'Who am I?',
    description:
      'The client, the registered domain and the age of the token. Works without an active subscription.',
    place: 'none',
    answer: { type: AccountResponse },
  })
  read(@CurrentCaller() visitor: Visitor): AccountResponse {
    return this.account.describe(visitor);
  }
}
