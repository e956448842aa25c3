import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';

/** Lists are mostly polled without any parameter. What a class makes of that never changes, so it is found out once. */
export class RequestPipe extends ValidationPipe {
  private readonly ofEmptyQuery = new Map<unknown, Promise<unknown>>();

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'query' || !isEmpty(value)) return super.transform(value, metadata);
    let known = this.ofEmptyQuery.get(metadata.metatype);
    if (!known) this.ofEmptyQuery.set(metadata.metatype, (known = super.transform(value, metadata)));
    return known;
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
