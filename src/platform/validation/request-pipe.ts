import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { namedFields } from './named-fields.js';

/**
 * Sees nothing but what the class names. Lists are mostly polled without any parameter: what a class makes of that never changes,
 * so it is found out once.
 */
export class RequestPipe extends ValidationPipe {
  private readonly ofEmptyQuery = new Map<unknown, Promise<unknown>>();

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const named = metadata.metatype ? namedFields(value, metadata.metatype) : value;
    if (metadata.type !== 'query' || !isEmpty(named)) return super.transform(named, metadata);
    let known = this.ofEmptyQuery.get(metadata.metatype);
    if (!known) this.ofEmptyQuery.set(metadata.metatype, (known = super.transform(named, metadata)));
    return known;
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
