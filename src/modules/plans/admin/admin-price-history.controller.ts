import { Controller, Inject } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import { AdminRoute, DEFAULT_LIMIT, pageOf } from '../../../platform/http/admin-route.js';
import { ChoiceField, TextField, TimeField } from '../../../platform/http/answer-fields.decorator.js';
import { LogQuery, readLogPeriod } from '../../../platform/http/log-query.js';
import { LOG_DIGITS, readNumberCursor } from '../../../platform/http/page-cursor.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import { OptionalChoice } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ChangeLog } from '../change-log.repository.js';
import { CHANGED_SUBJECTS, type ChangedSubject } from '../changed-subjects.js';

class PriceHistoryQuery extends LogQuery {
  @OptionalChoice(CHANGED_SUBJECTS, 'Only changes of this kind.') subject?: ChangedSubject;
  @OptionalText({
    max: 100,
    description: 'Only changes of this product: its own prices, and its fixed prices in plans.',
    example: 'MUG-350',
  })
  sku?: string;
}

const Values = (description: string, base_price: number) =>
  ApiProperty({
    description,
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { base_price },
  });

@ApiSchema({ name: 'AdminChange' })
class ChangeResponse {
  @TimeField('When it was changed.', '2026-11-20T09:30:00.000Z') changed_at: Date;
  @TextField('Who changed it.', 'key 3 (ERP)') actor: string;
  @ChoiceField('The kind.', CHANGED_SUBJECTS) subject: ChangedSubject;
  @TextField('What was changed.', 'MUG-350') name: string;
  @Values('The changed values before it; null for a new subject.', 580) before: object | null;
  @Values('The changed values; null for a deleted subject.', 822) after: object | null;
}

/** The log of changes of products, prices, plans and subscriptions. */
@ApiTags('Logs')
@Controller('api/admin/price-history')
export class AdminPriceHistoryController {
  constructor(
    private readonly changes: ChangeLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleWith('keep goods and prices'),
    operationId: 'listPriceHistory',
    summary: 'Lists the changes of products, prices, plans and subscriptions, the newest first.',
    answer: { list: ChangeResponse },
    command: 'changes list',
  })
  async list(@ValidQuery() { after, limit = DEFAULT_LIMIT, subject, sku, ...period }: PriceHistoryQuery) {
    const filter = { subject, sku, ...readLogPeriod(period, this.settings.timeZone) };
    const rows = await this.changes.newest(filter, limit + 1, readNumberCursor(after, LOG_DIGITS));
    return pageOf(
      rows,
      limit,
      ({ id: _, ...change }) => change,
      ({ id }) => id,
    );
  }
}
