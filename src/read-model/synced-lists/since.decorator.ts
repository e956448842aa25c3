import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Fault, Optional } from '../../platform/validation/fault-decorator.js';
import { readSyncToken } from './sync-token.js';

/** The parameter `since`: a sync token. It cannot be combined with filters. */
export function Since(...others: string[]): PropertyDecorator {
  const alone = (object: object) =>
    others.every((name) => (object as Record<string, unknown>)[name] === undefined);
  return applyDecorators(
    Optional(),
    Fault(
      'malformed',
      'is not a sync token',
      (value) => typeof value === 'string' && readSyncToken(value) !== undefined,
    ),
    Fault('not_combinable', `cannot be combined with ${others.join(', ')}`, (_, object) => alone(object)),
    ApiPropertyOptional({
      description:
        'The `sync_token` of your last answer: you get only what changed since then. Not together with ' +
        `${others.map((name) => `\`${name}\``).join(', ')}.`,
      example: 'Aqcf3k0TbAAAAAcAAAAAAyAAAAAAAx-CCPZi',
      type: String,
    }),
  );
}
