import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { DeskRole } from '../../../platform/access/access-rule.js';
import { AdminRoute } from '../../../platform/http/admin-route.js';
import { CountField } from '../../../platform/http/answer-fields.decorator.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The reasons in an answer. 300,000 took 21 MB. */
export const MAX_REASONS = 1_000;

@ApiSchema({ name: 'ImportFault' })
class ImportFaultResponse {
  @CountField('The row as a spreadsheet counts it; the heading is 1.', 17) line: number;
  @ApiProperty({ description: 'The column; empty for the whole row.', example: 'base_price' }) column: string;
  @ApiProperty({ description: 'The reason.', example: 'must be an amount such as 249.50 ("12,x")' })
  message: string;
}

@ApiSchema({ name: 'ImportPriceChange' })
class ImportPriceChangeResponse {
  @CountField('The row.', 2) line: number;
  @ApiProperty({ description: 'The product.', example: 'MUG' }) sku: string;
  @ApiProperty({ description: 'The plan of a fixed price.', required: false, example: 'growth' })
  plan?: string;

  @ApiProperty({ description: 'The price before.', example: 249.5 }) from: number;
  @ApiProperty({ description: 'The new price.', example: 260 }) to: number;
}

/** Kinds of files add facts of their own, such as `scheduled`. */
@ApiSchema({ name: 'ImportReport' })
class ImportReportResponse {
  @CountField('Rows that created something.', 3) created: number;
  @CountField('Rows that changed something.', 40) updated: number;
  @CountField('Rows that changed nothing.', 957) unchanged: number;
  @CountField('Rows that were refused.', 1) refused: number;
  @ApiProperty({ description: 'Fixed prices that were set, of prices.', required: false, example: 0 })
  fixed_prices?: number;

  @ApiPropertyOptional({
    description: 'With `from`: the scheduled change.',
    type: 'object',
    additionalProperties: true,
  })
  scheduled?: object;

  @ApiProperty({
    description: `The first ${MAX_REASONS} reasons of refused rows. \`failed_file\` has all.`,
    type: [ImportFaultResponse],
    maxItems: MAX_REASONS,
  })
  failed: ImportFaultResponse[];

  @ApiProperty({ description: 'Warnings about rows that were written.', type: [ImportFaultResponse] })
  warnings: ImportFaultResponse[];

  @ApiProperty({
    description: 'The prices that would change, with `dry_run`.',
    type: [ImportPriceChangeResponse],
    required: false,
  })
  price_changes?: ImportPriceChangeResponse[];

  @ApiProperty({
    description: 'The refused rows as CSV with reasons, with `failed_file`.',
    required: false,
    example: 'sku,base_price,reason\r\nMUG,x,must be an amount\r\n',
  })
  failed_file?: string;
}

interface ImportRouteOptions {
  /** Its name in the address. */
  name: string;
  role: DeskRole;
  operationId: string;
  summary: string;
  columns: string;
  command?: string;
  /** Files of portals. */
  takesJson?: true;
}

/** A file of the wholesaler's programs, with the checks of the desk and of the command. */
export const ImportRoute = ({ name, summary, columns, takesJson, ...route }: ImportRouteOptions) =>
  AdminRoute({
    ...route,
    method: 'POST',
    path: `imports/${name}`,
    summary,
    description:
      `The body is the file: CSV in UTF-8 or a workbook (.xlsx), up to 100 MB. Columns: ${columns}. ` +
      'Good rows are written, and bad rows are reported, each with its line and reason. A file that ' +
      'arrives only in part changes nothing. With `all_or_nothing`, one bad row is 422 `import_refused`.',
    takesFile: ['text/csv', XLSX, ...(takesJson ? ['application/json'] : [])],
    answer: {
      data: ImportReportResponse,
      trial: ImportReportResponse,
      description: 'What was written or, with `dry_run`, would be.',
    },
    errors: [
      'import_running',
      'import_refused',
      'body_too_large',
      'unsupported_media_type',
      'unreadable_file',
      'wrong_columns',
    ],
  });
