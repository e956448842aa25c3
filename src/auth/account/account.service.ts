import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Visitor } from '../../read-model/access/caller.js';

const DAY_MS = 86_400_000;

@Injectable()
export class AccountService {
  describe({ client, token }: Visitor): AccountResponse {
    return {
      success: true,
      data: {
        client_name: client.name,
        domain: token.domain,
        token: {
          prefix: token.prefix,
          created_at: token.createdAt.toISOString(),
          age_days: Math.max(0, Math.floor((Date.now() - token.createdAt.getTime()) / DAY_MS)),
        },
      },
    };
  }
}

class AccountTokenResponse {
  @ApiProperty({
    description: 'The first characters of the token, by which people tell tokens apart.',
    example: 'wha_7Kd93mQx',
  })
  prefix: string;

  @ApiProperty({
    description: 'When the token was issued.',
    format: 'date-time',
    example: '2026-01-05T09:30:00.000Z',
  })
  created_at: string;

  @ApiProperty({ description: 'How many whole days ago that was.', type: 'integer', minimum: 0, example: 42 })
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

export class AccountResponse {
  @ApiProperty({ example: true })
  success: boolean;

  @ApiProperty({ type: AccountDataResponse })
  data: AccountDataResponse;
}
