import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Fault, Optional } from './fault-decorator.js';

const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/** `true` or `false` in the query of an address; what is neither stays as it is, to be refused. */
export function OptionalBooleanParameter(documentation: {
  description: string;
  example: boolean;
}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => BOOLEANS.get(value) ?? value),
    Optional(),
    Fault('wrong_type', 'must be true or false', (value) => typeof value === 'boolean'),
    ApiPropertyOptional({ ...documentation, type: Boolean }),
  );
}
