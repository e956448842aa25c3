import { Injectable } from '@nestjs/common';
import type { AccountResponse } from './account.response.js';
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
