import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Fault } from './fault-decorator.js';

interface ListOptions {
  /** What it names. */
  of: string;
  most: number;
  description: string;
  example: string[];
  required: boolean;
}

/** The way of query parameters anyway; written down, because not every generator of clients knows it. */
const REPEATED = { style: 'form', explode: true } as const;

/** A parameter that names several things, once for each or all in one with commas between them. */
export function ListParameter({ of, most, description, example, required }: ListOptions): PropertyDecorator {
  return applyDecorators(
    Fault('wrong_type', `must be a list of ${of}`, (value) =>
      [value].flat().every((part) => typeof part === 'string'),
    ),
    Fault(
      'too_many',
      `must name at most ${most} ${of}`,
      (value) => countIn(value as string | string[]) <= most,
    ),
    ApiProperty({
      ...REPEATED,
      description: `${description} Repeat the parameter for each, or send one value with commas between them. One of several values, or one that as a whole is known, is never taken apart, so that it may hold a comma. At most ${most}.`,
      type: [String],
      maxItems: most,
      example,
      required,
    }),
  );
}

function countIn(value: string | string[]): number {
  return typeof value === 'string' ? value.split(',').length : value.length;
}
