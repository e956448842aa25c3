import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Fault, Optional } from './fault-decorator.js';

const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** `true` or `false` in the query of an address, as languages write them; what is neither stays as it is, to be refused. */
export function OptionalBooleanParameter(documentation: {
  description: string;
  example: boolean;
}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => BOOLEANS.get(lowerCase(value)) ?? value),
    Optional(),
    Fault('wrong_type', 'must be true or false', (value) => typeof value === 'boolean'),
    ApiPropertyOptional({ ...documentation, type: Boolean }),
  );
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
