import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField, TextOrNull, TimeField } from '../../../platform/http/answer-fields.decorator.js';
import { OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import { OptionalRead, RequiredPeriod } from '../../../platform/validation/typed-fields.decorator.js';
import { parseGstin } from '../../tax/gstin.js';
import { readArn } from '../rules/filed-return.js';
import { parseReturnPeriod, type ReturnPeriod } from '../rules/return-period.js';

const Period = () =>
  RequiredPeriod(parseReturnPeriod, 'must be a month such as 2026-11, or a quarter such as 2026-Q4', {
    description: 'The month, or a quarter such as 2026-Q4.',
    example: '2026-11',
  });

const OwnGstin = (description: string) =>
  OptionalRead({ read: parseGstin, description, example: '27AAPFU0939F1ZV' });

export class GstReportQuery {
  @Period() month: ReturnPeriod;
  @OwnGstin('One of your GSTINs; the last one of the period by default.') gstin?: string;

  @OptionalText({
    max: 60,
    description: 'Only this file, as it is called in the ZIP.',
    example: 'gstr1.json',
  })
  file?: string;
}

@ApiSchema({ name: 'MarkFiled' })
export class MarkFiledRequest {
  @Period() month: ReturnPeriod;
  @OwnGstin('One of your GSTINs; required if the period has several returns.') gstin?: string;
  @OptionalRead({
    read: readArn,
    description: 'The acknowledgement number of the portal.',
    example: 'AA2910260012345',
  })
  arn?: string;

  @OptionalText({ max: 200, description: 'Takes the mark back: the reason.', example: 'A wrong month' })
  take_back?: string;
}

@ApiSchema({ name: 'FiledReturn' })
export class FiledReturnResponse {
  @TextField('The month.', '2026-11') month: string;
  @TextField('The GSTIN.', '27AAPFU0939F1ZV') gstin: string;
  @TimeField('When it was marked as filed.', '2026-12-10T09:30:00.000Z') filed_at: string;
  @TextField('The person or program that marked it.', 'person 2 (sunita@example.com)') by: string;
  @TextOrNull('The acknowledgement number of the portal.', 'AA2910260012345') arn: string | null;
}

@ApiSchema({ name: 'FilingChange' })
class FilingChangeResponse {
  @TextField('The filed month.', '2026-11') month: string;
  @TimeField('When it changed.', '2026-12-12T09:30:00.000Z') changed_at: string;
  @TextField('The document.', 'INV-2627-0000042') subject: string;
  @TextField('What changed.', 'The IRN was cancelled.') change: string;
  @TextField('What to do.', 'Amend the invoice.') to_do: string;
}

@ApiSchema({ name: 'GstReturn' })
export class GstReturnResponse {
  @TextField('The month or quarter.', '2026-11') month: string;
  @TextOrNull('Whose return it is; null without a seller.', '27AAPFU0939F1ZV') gstin: string | null;
  @ApiProperty({ description: 'Your other GSTINs with a return of it.', type: [String], example: [] })
  other_gstins: string[];

  @ApiProperty({
    description: 'Documents whose goods left in an earlier month.',
    type: [String],
    example: [],
  })
  late: string[];

  @ApiProperty({ description: 'Its months that are marked as filed.', type: [FiledReturnResponse] })
  filed: FiledReturnResponse[];

  @ApiProperty({ description: 'What changed these months since.', type: [FilingChangeResponse] })
  changes_since_filing: FilingChangeResponse[];

  @ApiProperty({
    description: 'The rows of each file, as the portal names their columns.',
    type: 'object',
    additionalProperties: {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'string' } },
    },
    example: { b2b: [] },
  })
  files: object;
}
