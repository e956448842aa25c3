import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { Transform } from './named-fields.js';

type Check = (value: unknown, object: object) => boolean;

/** The words of a fault. They may name the part of the value that is wrong. */
type Message = string | ((value: unknown) => string);

interface FieldFault {
  code: string;
  message: Message;
  passes: Check;
}

const FAULTS = Symbol('faults');

/** The name of the one constraint. Its message is the first fault's code, a space, and its text. */
const CONSTRAINT = 'fault';

/**
 * A check with its code. All checks of a field form one constraint: class-validator makes some ten objects
 * for each constraint of each request, which was a third of the time to check an order.
 */
export function Fault(code: string, message: Message, passes: Check): PropertyDecorator {
  return (prototype, field) => {
    const known = Reflect.getOwnMetadata(FAULTS, prototype, field) as FieldFault[] | undefined;
    const faults = known ?? [];
    faults.push({ code, message, passes });
    if (known) return;
    Reflect.defineMetadata(FAULTS, faults, prototype, field);
    constraintOf(faults)(prototype, field);
  };
}

function constraintOf(faults: FieldFault[]): PropertyDecorator {
  const firstOf = (value: unknown, args?: ValidationArguments) =>
    faults.find(({ passes }) => !passes(value, args?.object ?? {}));
  return ValidateBy({
    name: CONSTRAINT,
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => firstOf(value, args) === undefined,
      defaultMessage: (args) => {
        const { code, message } = firstOf(args?.value, args)!;
        return `${code} ${typeof message === 'string' ? message : message(args?.value)}`;
      },
    },
  });
}

/** Reads the fault back from class-validator; undefined if the fault is its own. */
export function faultIn(constraints: Record<string, string>): { code: string; message: string } | undefined {
  const text = constraints[CONSTRAINT];
  if (text === undefined) return undefined;
  const space = text.indexOf(' ');
  return { code: text.slice(0, space), message: text.slice(space + 1) };
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

/** `null` and blank texts count as absent. */
const absentIfEmpty = Transform(({ value }: { value: unknown }) =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value,
);
