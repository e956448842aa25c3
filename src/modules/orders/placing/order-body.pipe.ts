import { type ArgumentMetadata, Inject, Injectable } from '@nestjs/common';
import { DomainError, type FieldError, validationFailed } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { INDIA, isServed, servedFault } from '../../../platform/validation/countries.js';
import { isPlainObject } from '../../../platform/validation/plain-object.js';
import { RequestPipe } from '../../../platform/validation/valid.decorator.js';
import { SkuSuggestions } from '../../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import { isPhone, PHONE_FAULT } from '../rules/phone.js';
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
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super();
  }

  override async transform(body: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    let faults: FieldError[] | undefined;
    const request: unknown = await super.transform(body, metadata).catch((error: unknown) => {
      if (!(error instanceof DomainError) || !error.errors) throw error;
      faults = error.errors;
    });
    const more = destinationFaults(body, this.settings.servedCountries);
    if (faults) throw validationFailed([...merged(faults, more), ...this.faultsOf(body, faults)]);
    if (more.length > 0) throw validationFailed([...more, ...this.faultsOf(body, [])]);
    return request;
  }

  private faultsOf(body: unknown, knownFaults: FieldError[]): FieldError[] {
    const { productIndex } = this.snapshot.current();
    return itemFaults(
      readableItems(body, knownFaults),
      (sku) => productIndex.find(sku),
      (sku) => this.suggestions.hint(sku),
    );
  }
}

/** The items without a fault so far. If the list itself has a fault, its entries were not checked. */
function* readableItems(body: unknown, knownFaults: FieldError[]): Generator<[number, OrderedItem]> {
  const items = isPlainObject(body) && Array.isArray(body.items) ? (body.items as OrderedItem[]) : [];
  const faulty = new Set(knownFaults.map(({ field }) => /^items\[\d+\]/.exec(field)?.[0]));
  if (knownFaults.some(({ field }) => field === 'items')) return;
  for (const [index, item] of items.entries()) {
    if (!faulty.has(`items[${index}]`)) yield [index, item];
  }
}

/** The first fault of each field. */
function merged(faults: FieldError[], more: FieldError[]): FieldError[] {
  return [...faults, ...more.filter(({ field }) => faults.every((fault) => fault.field !== field))];
}

/** Not checks of the class: the phone number depends on the country, and the countries on the settings. */
function destinationFaults(body: unknown, served: readonly string[]): FieldError[] {
  const { customer, shipping } = isPlainObject(body) ? body : {};
  const phone = readText(customer, 'phone');
  const country = readText(shipping, 'country');
  const faults: FieldError[] = [];
  if (phone !== undefined && !isPhone(phone, country))
    faults.push({ field: 'customer.phone', code: 'invalid_phone', message: PHONE_FAULT });
  if (isPlainObject(shipping) && !isServed(country ?? INDIA, served))
    faults.push({ field: 'shipping.country', code: 'country_not_served', message: servedFault(served) });
  return faults;
}

function readText(group: unknown, name: string): string | undefined {
  const text = isPlainObject(group) ? group[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}
