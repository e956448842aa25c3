import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';

type Check = (value: unknown, object: object) => boolean;

/** A check that is named after the code it gives, so that the code reaches the error body. */
export function Fault(code: string, message: string, passes: Check): PropertyDecorator {
  return ValidateBy({
    name: code,
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => passes(value, args?.object ?? {}),
      defaultMessage: () => message,
    },
  });
}

export function Required(): PropertyDecorator {
  return applyDecorators(
    absentIfEmpty,
    Fault('required', 'is required', (value) => value !== undefined),
  );
}

export function Optional(): PropertyDecorator {
  return applyDecorators(
    absentIfEmpty,
    ValidateIf((_, value) => value !== undefined),
  );
}

/** `null` and a text of white space alone say nothing: they count as absent. */
const absentIfEmpty = Transform(({ value }: { value: unknown }) =>
  value === null || isBlank(value) ? undefined : value,
);

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
