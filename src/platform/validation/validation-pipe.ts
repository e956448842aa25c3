import type { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import type { FieldError } from '../errors/field-error.js';
import { validationFailed } from '../errors/validation-failed.js';
import { RequestPipe } from './request-pipe.js';

/** Every request class is checked by this one pipe. All faults are told at once, one for each field. */
export function createValidationPipe(): ValidationPipe {
  return new RequestPipe({
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => validationFailed(errors.flatMap((error) => fieldErrors(error, ''))),
  });
}

/** What class-validator itself says of an element that is no object. */
const NOT_AN_OBJECT = 'nestedValidation';

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = pathOf(error.property, parent);
  const [fault] = Object.entries(error.constraints ?? {}).filter(([code]) => code !== NOT_AN_OBJECT);
  if (fault) return [{ field, code: fault[0], message: fault[1] }];
  if (error.constraints) return [{ field, code: 'wrong_type', message: 'must be an object' }];
  return (error.children ?? []).flatMap((child) => fieldErrors(child, field));
}

function pathOf(property: string, parent: string): string {
  if (/^\d+$/.test(property) && parent) return `${parent}[${property}]`;
  return parent ? `${parent}.${property}` : property;
}
