import { Controller } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { AlwaysTrue, TimeField } from '../../platform/http/answer-fields.decorator.js';
import { CurrentCaller } from '../../platform/access/access.decorators.js';
import { TOKEN_KINDS, type TokenKind } from '../../platform/access/token-kind.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import type { Visitor } from '../../read-model/callers/caller.js';
import { DAY_MS } from '../../platform/time/time.js';

class AccountTokenResponse {
  @ApiProperty({
    description: 'The first characters of the token, by which people recognise it.',
    example: 'wha_7Kd93mQx',
  })
  prefix: string;

  @ApiProperty({
    description: 'What it may do: everything, only read, or place test orders.',
    enum: TOKEN_KINDS,
    enumName: 'TokenKind',
    example: 'full',
  })
  kind: TokenKind;

  @TimeField('When the token was issued.', '2026-01-05T09:30:00.000Z')
  created_at: string;

  @ApiProperty({ description: 'Its age in whole days.', type: 'integer', minimum: 0, example: 42 })
  age_days: number;
}

class AccountDataResponse {
  @ApiProperty({ description: 'The name of the client.', example: 'Anaya Home Store' })
  client_name: string;

  @ApiProperty({
    description: 'The domain that the token is registered to, in its normalised form.',
    example: 'store.example.com',
  })
  domain: string;

  @ApiProperty({ type: AccountTokenResponse })
  token: AccountTokenResponse;
}

class AccountResponse {
  @AlwaysTrue()
  success: true;

  @ApiProperty({ type: AccountDataResponse })
  data: AccountDataResponse;
}

@ApiTags('Account')
@Controller('api/account')
export class AccountController {
  @StoreRoute({
    method: 'GET',
    subscription: 'not required',
    tokens: TOKEN_KINDS,
    operationId: 'getAccount',
    summary: 'Who am I?',
    description:
      'The client, the registered domain and the age of the token. Works without an active subscription.',
    slot: 'none',
    answer: { type: AccountResponse },
  })
  read(@CurrentCaller() { client, token }: Visitor): AccountResponse {
    const { prefix, kind, createdAt, domain } = token;
    const age_days = Math.max(0, Math.floor((Date.now() - createdAt.getTime()) / DAY_MS));
    return {
      success: true,
      data: {
        client_name: client.name,
        domain,
        token: { prefix, kind, created_at: createdAt.toISOString(), age_days },
      },
    };
  }
}
