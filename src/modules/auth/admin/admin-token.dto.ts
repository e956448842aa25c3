import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TOKEN_KINDS, type TokenKind } from '../../../platform/access/token-kind.js';
import {
  ChoiceField,
  FlagField,
  TextField,
  TimeField,
  TimeOrNull,
  WarningsField,
  WholeNumberField,
} from '../../../platform/http/answer-fields.decorator.js';
import {
  OptionalFlag,
  OptionalText,
  RequiredText,
} from '../../../platform/validation/body-fields.decorator.js';
import { RecordFields } from '../../../platform/validation/record-fields.decorator.js';
import { OptionalChoice } from '../../../platform/validation/typed-fields.decorator.js';
import { CLIENT_EXAMPLES, SetSubscriptionRequest } from '../../clients/admin/admin-client.dto.js';
import { SubscriptionSetResponse } from '../../clients/admin/admin-client.response.js';
import { CLIENT_FIELDS, TAX_NAMES } from '../../clients/client-fields.js';

/** The terms of the subscription stand beside the fields of the client. */
@RecordFields(CLIENT_FIELDS, ['name', 'email'], { examples: CLIENT_EXAMPLES, isRequired: true })
@RecordFields(CLIENT_FIELDS, TAX_NAMES, { examples: CLIENT_EXAMPLES })
@ApiSchema({ name: 'AdminAddClient' })
export class AddClientRequest extends SetSubscriptionRequest {
  declare name: string;
  declare email: string;

  @OptionalText({
    max: 300,
    description: 'The domain of its token; without one, no token: people enter its orders.',
    example: 'mango.example.com',
  })
  domain?: string;

  @OptionalFlag('Even if another client has this name, address or domain.') force?: boolean;
}

@ApiSchema({ name: 'AdminIssueToken' })
export class IssueTokenRequest {
  @RequiredText({
    max: 300,
    description: 'The domain of the token. It is allowed to the client.',
    example: 'mango.example.com',
  })
  domain: string;

  @OptionalChoice(TOKEN_KINDS, 'What it may do: everything, only read, or place test orders.')
  kind?: TokenKind;

  @OptionalText({ max: 100, description: 'Its name.', example: 'Shop' }) name?: string;
  @OptionalFlag('Even if it is a domain of another client.') force?: boolean;
}

class TokenFields {
  @WholeNumberField('The number of the token.', 12) token_id: number;
  @ChoiceField('What it may do.', TOKEN_KINDS) kind: TokenKind;
  @TextField('Its name.', 'Store') name: string;
  @TextField('How it begins.', 'wha_8fK2mQ1z') prefix: string;
  @TextField('Its domain.', 'mango.example.com') domain: string;
}

@ApiSchema({ name: 'AdminIssuedToken' })
export class IssuedTokenResponse extends TokenFields {
  @TextField('The token. It is shown once.', 'wha_8fK2mQ1zR7tY4vW9xA3bC6dE5fG0hJ2kL8mN1pQ4') token: string;
}

@ApiSchema({ name: 'AdminToken' })
export class AdminTokenResponse extends TokenFields {
  @TimeField('When it was issued.', '2026-11-20T09:30:00.000Z') created_at: Date;
  @TimeOrNull('When it was used last.', null) last_used_at: Date | null;
  @TimeOrNull('When it ends, because another one replaced it.', null) ends_at: Date | null;
  @TimeOrNull('When it was revoked.', null) revoked_at: Date | null;
}

@ApiSchema({ name: 'AdminRevokedToken' })
export class RevokedTokenResponse extends TokenFields {
  @TimeField('When it was revoked first.', '2026-12-01T09:30:00.000Z') revoked_at: Date;
}

@ApiSchema({ name: 'AdminInvitedOwner' })
class InvitedOwnerResponse {
  @WholeNumberField('The number of the person.', 7) person_id: number;
  @TextField('The link of the invitation. It is shown once.', 'https://shop.example.com/dashboard/join#…')
  url: string;
  @FlagField('Whether it was sent by mail too.', true) mailed: boolean;
}

@ApiSchema({ name: 'AdminClientAdded' })
export class ClientAddedResponse extends SubscriptionSetResponse {
  @ApiProperty({
    description: 'The number of its token; with a domain.',
    type: 'integer',
    required: false,
    example: 12,
  })
  token_id?: number;

  @ApiProperty({
    description: 'Its token; with a domain. It is shown once.',
    required: false,
    example: 'wha_8fK2mQ1zR7tY4vW9xA3bC6dE5fG0hJ2kL8mN1pQ4',
  })
  token?: string;

  @ApiProperty({ description: 'The domain of its token.', required: false, example: 'mango.example.com' })
  domain?: string;

  @ApiProperty({
    description: 'Its invited owner; null if the address belongs to another account.',
    type: InvitedOwnerResponse,
    nullable: true,
  })
  owner: InvitedOwnerResponse | null;

  @WarningsField('What a person must do before its first parcel.', [
    'Its parcels cannot leave: an invoice needs its GSTIN or state, and billing address.',
  ])
  warnings: string[];
}
