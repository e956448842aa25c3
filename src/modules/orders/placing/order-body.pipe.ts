import { type ArgumentMetadata, Inject, Injectable } from '@nestjs/common';
import { DomainError, type FieldError, validationFailed } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { INDIA, isServed, servedFault } from '../../../platform/validation/countries.js';
import { isPlainObject } from '../../../platform/validation/plain-object.js';
import { RequestPipe } from '../../../platform/validation/valid.decorator.js';
import { SellersService } from '../../invoices/sellers.service.js';
import { SkuSuggestions } from '../../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import { isPhone, PHONE_FAULT } from '../rules/phone.js';
import { itemFaults, type OrderedItem } from '../rules/order-lines.js';
import { ORDER_FIELDS } from '../rules/order-fields.js';
import { stateFault } from '../rules/shipping-state.js';

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
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super();
  }

  override async transform(body: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    let faults: FieldError[] | undefined;
    let request: unknown;
    try {
      request = super.transform(body, metadata);
    } catch (error) {
      if (!(error instanceof DomainError) || !error.errors) throw error;
      faults = error.errors;
    }
    const more = await this.destinationFaults(body);
    if (faults) throw validationFailed([...merged(faults, more), ...this.faultsOf(body, faults)]);
    if (more.length > 0) throw validationFailed([...more, ...this.faultsOf(body, [])]);
    return request;
  }

  /**
   * Not checks of the class: the phone number depends on the country, the countries on the settings, and the
   * state on the invoices.
   */
  private async destinationFaults(body: unknown): Promise<FieldError[]> {
    const { customer, shipping } = isPlainObject(body) ? body : {};
    const phone = readText(customer, 'phone');
    const country = readText(shipping, 'country');
    const state = readText(shipping, 'state', ORDER_FIELDS.shippingState.maxLength);
    const pincode = readText(shipping, 'pincode') ?? '';
    const faults: FieldError[] = [];
    if (phone !== undefined && !isPhone(phone, country))
      faults.push({ field: 'customer.phone', code: 'invalid_phone', message: PHONE_FAULT });
    const { servedCountries: served } = this.settings;
    if (isPlainObject(shipping) && !isServed(country ?? INDIA, served))
      faults.push({ field: 'shipping.country', code: 'country_not_served', message: servedFault(served) });
    const message = state && stateFault({ state, pincode, country });
    if (message && (await this.sellers.isTaxOn()))
      faults.push({ field: 'shipping.state', code: 'unknown_state', message });
    return faults;
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

/** Blank and too long texts have other faults. */
function readText(group: unknown, name: string, maxLength = Infinity): string | undefined {
  const text = isPlainObject(group) ? group[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' && text.length <= maxLength ? text : undefined;
}
