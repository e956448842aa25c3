import { type ArgumentMetadata, Injectable } from '@nestjs/common';
import { DomainError, type FieldError, validationFailed } from '../../platform/errors/domain-error.js';
import { isPlainObject } from '../../platform/validation/named-fields.js';
import { RequestPipe } from '../../platform/validation/valid.decorator.js';
import { SkuSuggestions } from '../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { itemFaults, type OrderedItem } from '../rules/order-lines.js';

/**
 * Checks the body of an order by its class. A refused body is also checked for unknown SKUs and variations,
 * as far as its items can be read. The snapshot is good enough for that, because nothing is sold. Stock is
 * only checked for a well-formed order.
 */
@Injectable()
export class OrderBodyPipe extends RequestPipe {
  constructor(
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
  ) {
    super();
  }

  override async transform(body: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    try {
      return await super.transform(body, metadata);
    } catch (error) {
      if (!(error instanceof DomainError) || !error.errors) throw error;
      throw validationFailed([...error.errors, ...this.faultsOf(body, error.errors)]);
    }
  }

  private faultsOf(body: unknown, known: FieldError[]): FieldError[] {
    const { shelf } = this.snapshot.current();
    return itemFaults(
      readableItems(body, known),
      (sku) => shelf.find(sku),
      (sku) => this.suggestions.hint(sku),
    );
  }
}

/** The items without a fault so far. If the list itself has a fault, its entries were not checked. */
function* readableItems(body: unknown, known: FieldError[]): Generator<[number, OrderedItem]> {
  const items = isPlainObject(body) && Array.isArray(body.items) ? (body.items as OrderedItem[]) : [];
  const faulty = new Set(known.map(({ field }) => /^items\[\d+\]/.exec(field)?.[0]));
  if (known.some(({ field }) => field === 'items')) return;
  for (const [index, item] of items.entries()) {
    if (!faulty.has(`items[${index}]`)) yield [index, item];
  }
}
