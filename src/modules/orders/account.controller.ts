import { Controller, Inject } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  AlwaysTrue,
  AmountOrNull,
  CountField,
  TimeField,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../platform/http/answer-fields.decorator.js';
import { CurrentCaller } from '../../platform/access/access.decorators.js';
import { TOKEN_KINDS, type TokenKind } from '../../platform/access/token-kind.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import type { Visitor } from '../../read-model/callers/caller.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { DAY_MS } from '../../platform/time/time.js';
import { amountFromNumeric } from '../../platform/money/money.js';
import { ClientOrdersService } from './records/client-orders.service.js';
import { toUnpaidFacts } from './rules/unpaid-limits.js';

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

  @CountField('Its age in whole days.', 42)
  age_days: number;
}

class WalletResponse {
  @ApiProperty({ description: 'The balance.', example: 12_500 })
  balance: number;

  @ApiProperty({ description: 'The part of it that open payments will spend.', example: 0 })
  reserved: number;
}

class AutoPayResponse {
  @ApiProperty({ description: 'Whether new orders are paid from the wallet at once.', example: true })
  enabled: boolean;

  @AmountOrNull('Auto-pay leaves orders with a higher total to you; null if there is no such cap.', 5_000)
  order_cap: number | null;

  @AmountOrNull('The most that auto-pay spends on a day; null if there is no such cap.', 50_000)
  day_cap: number | null;
}

class UnpaidOrdersResponse {
  @WholeNumberField('The number of your unpaid orders.', 3)
  unpaid_orders: number;

  @WholeNumberOrNull('Their maximum number; null if there is no limit.', 10_000)
  unpaid_orders_limit: number | null;

  @ApiProperty({ description: 'Their total.', example: 1_089 })
  unpaid_value: number;

  @AmountOrNull('The maximum total; null if there is no limit.', 10_000_000)
  unpaid_value_limit: number | null;
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

  @ApiProperty({ description: 'The currency of all amounts.', example: 'INR' })
  currency: string;

  @ApiProperty({ description: 'The money that you paid in.', type: WalletResponse })
  wallet: WalletResponse;

  @ApiProperty({
    description: 'An order within the caps is paid at once, while the wallet has enough.',
    type: AutoPayResponse,
  })
  auto_pay: AutoPayResponse;

  @ApiProperty({
    description: 'An order that would exceed a limit is refused with `unpaid_limit_reached`.',
    type: UnpaidOrdersResponse,
  })
  unpaid: UnpaidOrdersResponse;
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
  constructor(
    private readonly orders: ClientOrdersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @StoreRoute({
    method: 'GET',
    subscription: 'not required',
    tokens: TOKEN_KINDS,
    operationId: 'getAccount',
    summary: 'Who am I?',
    description:
      'The client, the registered domain, the age of the token, the wallet, auto-pay and the limits of ' +
      'unpaid orders. Works without an active subscription.',
    slot: 'held',
    answer: { type: AccountResponse },
  })
  async read(@CurrentCaller() { client, token }: Visitor): Promise<AccountResponse> {
    const { prefix, kind, createdAt, domain } = token;
    const account = await this.orders.account(client.id);
    return {
      success: true,
      data: {
        client_name: client.name,
        domain,
        token: {
          prefix,
          kind,
          created_at: createdAt.toISOString(),
          age_days: Math.max(0, Math.floor((Date.now() - createdAt.getTime()) / DAY_MS)),
        },
        currency: this.settings.currency,
        wallet: {
          balance: amountFromNumeric(account.balance),
          reserved: amountFromNumeric(account.reserved),
        },
        auto_pay: {
          enabled: account.enabledAt !== null,
          order_cap: capOf(account.orderCap),
          day_cap: capOf(account.dayCap),
        },
        unpaid: toUnpaidFacts(account),
      },
    };
  }
}

function capOf(numeric: string | null): number | null {
  return numeric === null ? null : amountFromNumeric(numeric);
}
