import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ERROR_CODES, type StoreErrorCode } from '../errors/error-codes.js';
import { IgnoredField } from '../validation/ignored-fields.js';

@ApiSchema({ name: 'FieldError' })
export class FieldErrorResponse {
  @ApiProperty({
    description: 'Which field, as a path into the body or the name of a parameter.',
    example: 'items[0].quantity',
  })
  field: string;

  @ApiProperty({ description: 'What is wrong with it, for machines.', example: 'too_small' })
  code: string;

  @ApiProperty({ description: 'What is wrong with it, for people.', example: 'must be at least 1' })
  message: string;

  @ApiPropertyOptional({ description: 'With `insufficient_stock`: the SKU of the line.', example: 'MUG-350' })
  sku?: string;

  @ApiPropertyOptional({
    description: 'With `insufficient_stock`: how many were asked for.',
    type: 'integer',
    example: 5,
  })
  requested?: number;

  @ApiPropertyOptional({
    description: 'With `insufficient_stock`: how many can be sold now.',
    type: 'integer',
    example: 2,
  })
  available?: number;

  @ApiPropertyOptional({
    description:
      'With `unknown_sku`: the SKU that was meant, if one differs in case, space, dashes or leading ' +
      'zeros alone.',
    example: 'MUG-350',
  })
  suggestion?: string;

  @ApiPropertyOptional({
    description: 'With `unknown_sku`, always true: the product was sold once and is inactive now.',
    enum: [true],
    type: Boolean,
  })
  inactive?: true;

  @ApiPropertyOptional({
    description: 'With `price_changed` in a quote: the computed total.',
    type: Number,
    example: 1499.5,
  })
  total?: number;

  @ApiPropertyOptional({
    description: 'With `variation_required` and `unknown_variation`: the keys that can be ordered.',
    type: [String],
    example: ['Size:S', 'Size:M'],
  })
  valid_keys?: string[];
}

/** The one error body. */
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
    description: 'The id of the request, as in our logs. Also in the header X-Request-Id.',
    example: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
  })
  request_id: string;

  @ApiPropertyOptional({
    description: 'With `duplicate_order`: the number of the existing order.',
    example: 'WO-20261120-7K3M9-QXA2B',
  })
  order_number?: string;

  @ApiPropertyOptional({
    description: 'With `duplicate_order` and `not_cancellable`: the status of that order.',
    example: 'awaiting_payment',
  })
  status?: string;

  @ApiPropertyOptional({
    description: 'With `duplicate_order`: its total; with `price_changed`: the computed one.',
    type: Number,
    example: 1499.5,
  })
  total?: number;

  @ApiPropertyOptional({
    description: 'With `duplicate_order`: whether this request has the same content.',
    example: true,
  })
  same_content?: boolean;

  @ApiPropertyOptional({
    description: 'With `price_changed`: the total that the request expected.',
    type: Number,
    example: 1450,
  })
  expected_total?: number;

  @ApiPropertyOptional({
    description: 'With `unpaid_limit_reached`: your unpaid orders.',
    type: 'integer',
    example: 10_000,
  })
  unpaid_orders?: number;

  @ApiPropertyOptional({
    description: 'With `unpaid_limit_reached`: their maximum number; null if there is no limit.',
    type: 'integer',
    nullable: true,
    example: 10_000,
  })
  unpaid_orders_limit?: number | null;

  @ApiPropertyOptional({
    description: 'With `unpaid_limit_reached`: their total.',
    type: Number,
    example: 3_630_000,
  })
  unpaid_value?: number;

  @ApiPropertyOptional({
    description: 'With `unpaid_limit_reached`: the maximum total; null if there is no limit.',
    type: Number,
    nullable: true,
    example: 10_000_000,
  })
  unpaid_value_limit?: number | null;

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

/** The fields of an error body besides code and message. */
const FACTS: Partial<Record<StoreErrorCode, Partial<ErrorResponse>>> = {
  domain_mismatch: { compared_domain: 'shop.example.com' },
  duplicate_order: {
    order_number: 'WO-20261120-7K3M9-QXA2B',
    status: 'awaiting_payment',
    total: 363,
    same_content: true,
  },
  price_changed: { total: 363, expected_total: 345 },
  not_cancellable: { status: 'shipped' },
  unpaid_limit_reached: {
    unpaid_orders: 10_000,
    unpaid_orders_limit: 10_000,
    unpaid_value: 3_630_000,
    unpaid_value_limit: 10_000_000,
  },
  validation_failed: {
    errors: [{ field: 'items[0].quantity', code: 'too_small', message: 'must be at least 1' }],
  },
};

/** An error body for the docs. */
export function errorExample(code: StoreErrorCode): ErrorResponse {
  return {
    success: false,
    code,
    message: ERROR_CODES[code][1],
    ...FACTS[code],
    request_id: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
  };
}
