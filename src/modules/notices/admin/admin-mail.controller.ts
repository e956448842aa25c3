import { Controller } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
  PageQuery,
} from '../../../platform/http/admin-route.js';
import {
  ChoiceField,
  CountField,
  FlagField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import { readUuidCursor } from '../../../platform/http/page-cursor.js';
import { RequiredText } from '../../../platform/validation/body-fields.decorator.js';
import { MAX_EMAIL_LENGTH } from '../../../platform/validation/email.js';
import { OptionalChoice } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { MailDesk } from '../../../shared/mail/mail-desk.service.js';
import { MAIL_STATES, type MailState } from '../../../shared/mail/mail-states.js';

class MailListQuery extends PageQuery {
  @OptionalChoice(MAIL_STATES, 'Only mail in this state.') state?: MailState;
}

@ApiSchema({ name: 'AdminTestMail' })
class TestMailRequest {
  @RequiredText({ max: MAX_EMAIL_LENGTH, description: 'The recipient.', example: 'me@example.com' })
  address: string;
}

@ApiSchema({ name: 'AdminMail' })
class MailResponse {
  @TextField('The id of the mail.', '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d') mail_id: string;
  @TimeField('When it was written.', '2026-11-20T09:30:00.000Z') created_at: Date;
  @TextField('The recipient.', 'ravi@mango.example.com') recipient: string;
  @TextField('The subject.', 'Your invitation') subject: string;
  @ChoiceField('Its state.', MAIL_STATES, 'sent') state: MailState;
  @CountField('How often it was tried.', 1) tries: number;
  @TimeOrNull('When it is tried next.', null) next_try_at: Date | null;
  @TimeOrNull('When it was sent.', '2026-11-20T09:30:02.000Z') sent_at: Date | null;
  @TextOrNull('Why the last try failed.', null) fault: string | null;
}

@ApiSchema({ name: 'AdminMailSent' })
class MailSentResponse {
  @FlagField('The server accepted it.', true) sent: true;
}

/** The mail of the service. */
@ApiTags('Logs')
@Controller('api/admin/mail')
export class AdminMailController {
  constructor(private readonly mail: MailDesk) {}

  @AdminRoute({
    method: 'GET',
    role: roleWith('change settings'),
    operationId: 'listMail',
    summary: 'Lists the mail of the last 30 days, the newest first.',
    answer: { list: MailResponse, description: 'Without texts: only the recipient may read them.' },
    command: 'mail list',
  })
  async list(@ValidQuery() { after, limit = DEFAULT_LIMIT, state }: MailListQuery) {
    return pageOf(
      await this.mail.list(state, limit + 1, readUuidCursor(after)),
      limit,
      (mail) => mail,
      ({ mail_id: id }) => id,
    );
  }

  @AdminRoute({
    method: 'POST',
    path: 'test',
    role: roleWith('change settings'),
    operationId: 'sendTestMail',
    summary: 'Sends a short test mail now, and answers what the server said.',
    body: { type: TestMailRequest },
    answer: { data: MailSentResponse },
    errors: ['mail_undelivered', 'conflict'],
    command: 'mail try',
    commandArguments: ['address'],
  })
  async test(@CheckedBody() { address }: TestMailRequest) {
    await this.mail.sendTestMail(address);
    return answerWith({ sent: true } as const);
  }
}
