import { ApiPropertyOptional } from '@nestjs/swagger';
import { type Day, isDay } from '../../platform/time/time.js';
import { readChecked, writeChecked } from '../../platform/validation/checked-text.js';
import { Fault, Optional } from '../../platform/validation/fault-decorator.js';
import { OptionalNumberParameter } from '../../platform/validation/query-parameters.decorator.js';
import { isStorableText } from '../../platform/validation/texts.js';

/** The days of a list without limits. PostgreSQL knows no year 0. */
export const [FIRST_DAY, LAST_DAY] = ['1000-01-01', '9999-12-31'] as const;

const isListedDay = (value: unknown): value is Day =>
  typeof value === 'string' && isDay(value) && value >= FIRST_DAY;

const IS_DAY = Fault('malformed', 'must be a day, such as 2026-01-31', isListedDay);

export class DocumentListQuery {
  @Optional()
  @IS_DAY
  @ApiPropertyOptional({
    description: 'Only documents with this `date` or a later one.',
    type: String,
    format: 'date',
    example: '2026-11-01',
  })
  issued_from?: Day;

  @Optional()
  @IS_DAY
  @ApiPropertyOptional({
    description: 'Only documents with this `date` or an earlier one.',
    type: String,
    format: 'date',
    example: '2026-11-30',
  })
  issued_to?: Day;

  @OptionalNumberParameter({
    min: 1,
    max: 100,
    description: 'The maximum number of documents on a page; 50 by default.',
    example: 50,
  })
  limit?: number;

  @Optional()
  @Fault(
    'malformed',
    'is not a cursor of documents; send the "next_cursor" of the previous page',
    (value) => typeof value === 'string' && readDocumentCursor(value) !== undefined,
  )
  @ApiPropertyOptional({
    description: 'The `next_cursor` of the previous page.',
    type: String,
    example: 'MjAyNi0xMS0yMiBJTlYtMjYyNy0wMDAwMDQyTiPdQA',
  })
  cursor?: string;
}

/** The position of a document in a client's list. */
export interface DocumentPosition {
  day: Day;
  number: string;
}

const KIND = 'documents';

export function writeDocumentCursor({ day, number }: DocumentPosition): string {
  return writeChecked(Buffer.from(`${day} ${number}`), KIND);
}

/** `undefined` for any other text. */
export function readDocumentCursor(text: string): DocumentPosition | undefined {
  const [day, number] = readChecked(text, KIND)?.toString().split(' ') ?? [];
  return number && isStorableText(number) && isListedDay(day) ? { day, number } : undefined;
}
