import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated, CurrentCaller } from '../../platform/access/access.decorators.js';
import { AccountResponse, AccountService } from './account.service.js';
import type { Visitor } from '../../read-model/access/caller.js';

@ApiTags('Account')
@Controller('api/account')
export class AccountController {
  constructor(private readonly account: AccountService) {}

  @Get()
  @Authenticated('without subscription')
  @ApiOperation({
    operationId: 'getAccount',
    summary: 'Who am I?',
    description:
      'The client, the registered domain and the age of the token. Works without an active subscription.',
  })
  @ApiOkResponse({ type: AccountResponse })
  read(@CurrentCaller() visitor: Visitor): AccountResponse {
    return this.account.describe(visitor);
  }
}
