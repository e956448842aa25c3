import {
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  ApiSchema,
  PickType,
} from '@nestjs/swagger';
import { docUrlOf, ERROR_CODES, statusOf, type StoreErrorCode } from '../errors/error-codes.js';
import { IgnoredField } from '../validation/ignored-fields.js';

@ApiSchema({ name: 'FieldError' })
export class FieldErrorResponse {
  @ApiProperty({
    description: 'The field, as a path into the body, or the name of a parameter.',
    example: 'items[0].quantity',
  })
  field: string;

  @ApiProperty({ description: 'What is wrong with it, for programs.', example: 'too_small' })
  code: string;

  @ApiProperty({ description: 'What is wrong with it, for people.', example: 'must be at least 1' })
  message: string;

  @ApiPropertyOptional({ description: 'With `unknown_parameter`: a similar known name.', example: 'limit' })
  meant?: string;
}

/** All fields of the one error body. The document has a schema for each code, with its own fields. */
@ApiSchema({ name: 'ErrorAnswer' })
export class ErrorResponse {
  @ApiProperty({ description: 'Always false.', enum: [false], type: Boolean, example: false })
  success: boolean;

  @ApiProperty({
    description: 'The error, for programs.',
    enum: Object.keys(ERROR_CODES),
    example: 'validation_failed',
  })
  code: StoreErrorCode;

  @ApiProperty({ description: 'The error, for people.', example: '2 fields need attention.' })
  message: string;

  @ApiPropertyOptional({
    description: 'Every fault of the request. Comes with 422.',
    type: [FieldErrorResponse],
  })
  errors?: FieldErrorResponse[];

  @ApiPropertyOptional({
    description: 'With 422: the fields of the body that were ignored.',
    type: [IgnoredField],
  })
  ignored_fields?: IgnoredField[];

  @ApiProperty({
    description: 'Where the guide explains the code, relative to the address of the API.',
    format: 'uri-reference',
    example: '/docs/guide#error-validation_failed',
  })
  doc_url: string;

  @ApiProperty({
    description: 'The id of the request, as in our logs. Also in the header X-Request-Id.',
    example: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
  })
  request_id: string;

  @ApiPropertyOptional({
    description: 'With `domain_mismatch`: your domain, normalised for the comparison.',
    example: 'shop.example.com',
  })
  compared_domain?: string;

  @ApiPropertyOptional({
    description:
      'With `product_not_found`: a SKU that differs only in case, spaces, dashes or leading zeros. With ' +
      '`route_not_found`: a similar address.',
    example: 'MUG-350',
  })
  suggestion?: string;

  @ApiPropertyOptional({
    description: 'With `product_not_found`, always true: the product exists but is inactive.',
    enum: [true],
    type: Boolean,
  })
  inactive?: true;
}

/** The error body of the admin API. */
@ApiSchema({ name: 'AdminError' })
export class AdminErrorResponse extends PickType(ErrorResponse, [
  'success',
  'message',
  'errors',
  'request_id',
]) {
  @ApiProperty({ description: 'The error, for programs.', example: 'validation_failed' })
  code: string;
}

/** The fields of an error body besides code and message, for the examples. */
const EXAMPLES: Partial<Record<StoreErrorCode, object>> = {
  domain_mismatch: { compared_domain: 'shop.example.com' },
  validation_failed: {
    errors: [{ field: 'items[0].quantity', code: 'too_small', message: 'must be at least 1' }],
  },
};

type Fields = Record<string, ApiPropertyOptions>;

interface ErrorFacts {
  /** Fields of the body. */
  body: Fields;
  /** Fields of each of its `errors`. */
  errors: Fields;
  examples: typeof EXAMPLES;
}

/** Adds the facts of a module's errors to the documentation. The module's controller imports the caller. */
export function documentFacts({ body, errors, examples }: ErrorFacts): void {
  addFields(ErrorResponse.prototype, body);
  addFields(FieldErrorResponse.prototype, errors);
  Object.assign(EXAMPLES, examples);
}

function addFields(target: object, fields: Fields): void {
  for (const [name, options] of Object.entries(fields)) ApiPropertyOptional(options)(target, name);
}

/** Facts that not every error with the code has. */
const SOMETIMES: Partial<Record<StoreErrorCode, string[]>> = {
  product_not_found: ['suggestion', 'inactive'],
  route_not_found: ['suggestion'],
  duplicate_order: ['cancel_reason'],
};

/** The fields that errors with this code have in addition. */
export function factsOf(code: StoreErrorCode): { always: string[]; sometimes: string[] } {
  const ignored = statusOf(code) === 422 ? ['ignored_fields'] : [];
  return { always: Object.keys(EXAMPLES[code] ?? {}), sometimes: [...(SOMETIMES[code] ?? []), ...ignored] };
}

/** An error body for the docs. */
export function errorExample(code: StoreErrorCode): object {
  return {
    success: false,
    code,
    message: ERROR_CODES[code][1],
    ...EXAMPLES[code],
    doc_url: docUrlOf(code),
    request_id: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
  };
}
