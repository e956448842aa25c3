import { ValidateBy, type ValidationArguments } from 'class-validator';

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
