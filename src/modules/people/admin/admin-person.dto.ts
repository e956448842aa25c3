import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CLIENT_ROLES, DESK_ROLES, type Role } from '../../../platform/access/signed-in-person.js';
import {
  ChoiceField,
  FlagField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import { PageQuery } from '../../../platform/http/admin-route.js';
import {
  OptionalFlag,
  OptionalText,
  RequiredText,
} from '../../../platform/validation/body-fields.decorator.js';
import { MAX_EMAIL_LENGTH } from '../../../platform/validation/email.js';
import { OptionalChoice, RequiredChoice } from '../../../platform/validation/typed-fields.decorator.js';
import { OptionalClient } from '../../clients/admin/client-param.js';

const ROLES = [...CLIENT_ROLES, ...DESK_ROLES];
const ROLE =
  `The rights of the person: for a client ${CLIENT_ROLES.join(', ')}; ` +
  `at the desk ${DESK_ROLES.join(', ')}.`;

const Name = () =>
  OptionalText({ max: 200, description: 'The name, which the person may change.', example: 'Ravi Kumar' });

export class PeopleQuery extends PageQuery {
  @OptionalClient('The client of the people; without it, the people of the desk') client?: string;
}

@ApiSchema({ name: 'AdminInvitePerson' })
export class InvitePersonRequest {
  @OptionalClient('The client that the person signs in for; without it, the desk') client?: string;
  @RequiredText({
    max: MAX_EMAIL_LENGTH,
    description: 'The address of the invitation and of later sign-ins.',
    example: 'ravi@mango.example.com',
  })
  email: string;

  @RequiredChoice(ROLES, ROLE) role: Role;
  @Name() name?: string;
}

@ApiSchema({ name: 'AdminSetPerson' })
export class SetPersonRequest {
  @OptionalChoice(ROLES, ROLE) role?: Role;
  @Name() name?: string;
}

@ApiSchema({ name: 'AdminDisablePerson' })
export class DisablePersonRequest {
  @OptionalFlag('Even if no owner or admin is left.') force?: boolean;
}

@ApiSchema({ name: 'AdminPersonLink' })
class PersonLinkResponse {
  @ChoiceField('What it is for.', ['invitation', 'reset']) kind: string;
  @TimeField('When it ends.', '2026-12-08T09:30:00.000Z') ends_at: Date;
  @TextOrNull('The state of its mail; null if it was not sent by mail.', 'sent') mail: string | null;
  @TextOrNull('Why the last try of the mail failed.', null) mail_fault: string | null;
}

@ApiSchema({ name: 'AdminPerson' })
export class PersonResponse {
  @WholeNumberField('The number of the person.', 7) person_id: number;
  @WholeNumberOrNull('The number of the client; null for people of the desk.', 3) client_id: number | null;
  @TextField('The address for signing in.', 'ravi@mango.example.com') email: string;
  @TextField('The name.', 'Ravi Kumar') name: string;
  @ChoiceField('The rights.', ROLES, 'buyer') role: Role;
  @ChoiceField('Whether the person can sign in.', ['active', 'invited', 'disabled']) state: string;
  @FlagField('Whether the person has chosen a password.', true) has_joined: boolean;
  @FlagField('Whether signing in needs a second step.', false) second_factor: boolean;
  @TimeField('When the person was invited.', '2026-11-20T09:30:00.000Z') created_at: Date;
  @TimeOrNull('The last request of a session.', null) last_seen_at: Date | null;
  @ApiProperty({ description: 'The valid link.', type: PersonLinkResponse, nullable: true })
  link: PersonLinkResponse | null;
}

@ApiSchema({ name: 'AdminPersonWithLink' })
export class PersonWithLinkResponse extends PersonResponse {
  @TextField('The link. It is shown once.', 'https://shop.example.com/dashboard/join#…') url: string;
  @FlagField('Whether it was sent by mail too.', true) mailed: boolean;
}
