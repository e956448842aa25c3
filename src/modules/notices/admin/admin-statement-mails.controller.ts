import { Controller } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import { AdminRoute, answerWith, CheckedBody, DryRunQuery } from '../../../platform/http/admin-route.js';
import { CountField, TextField } from '../../../platform/http/answer-fields.decorator.js';
import type { Month } from '../../../platform/time/time.js';
import { RequiredMonth } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { StatementMailing } from '../statement-mailing.js';
import { StatementMailsService } from '../statement-mails.service.js';

@ApiSchema({ name: 'MailStatements' })
class MailStatementsRequest {
  @RequiredMonth('The month, which is over.') month: Month;
}

@ApiSchema({ name: 'StatementMailing' })
class StatementMailingResponse {
  @TextField('The month.', '2026-11') month: Month;
  @CountField('Clients that have a statement.', 12) clients: number;
  @CountField('Clients that were mailed before.', 4) already_mailed: number;
  @CountField('Clients that are mailed now.', 7) to_mail: number;
  @ApiProperty({
    description: 'Clients without a person who gets this mail.',
    type: [String],
    example: ['Mango Market'],
  })
  unreachable: string[];
}

@ApiTags('Reports')
@Controller('api/admin/reports/statement/mail')
export class AdminStatementMailsController {
  constructor(private readonly mailings: StatementMailsService) {}

  @AdminRoute({
    method: 'POST',
    role: roleToOpen('money/month/statements'),
    operationId: 'mailStatements',
    summary: 'Mails each client that its statement of a month is ready, once.',
    body: { type: MailStatementsRequest },
    answer: {
      data: StatementMailingResponse,
      trial: StatementMailingResponse,
      description: 'Who is mailed; with `dry_run`, who would be.',
    },
    errors: ['conflict'],
    command: 'report mail-statements',
  })
  async mail(
    @Actor() by: string,
    @ValidQuery() { dry_run: isTrial }: DryRunQuery,
    @CheckedBody() { month }: MailStatementsRequest,
  ) {
    if (!isTrial) return answerWith(toData(await this.mailings.send(month, by)));
    return { success: true, dry_run: true, data: toData(await this.mailings.preview(month)) } as const;
  }
}

const toData = ({ alreadyMailed, toMail, ...mailing }: StatementMailing): StatementMailingResponse => ({
  ...mailing,
  already_mailed: alreadyMailed,
  to_mail: toMail,
});
