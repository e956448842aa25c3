import { arrayLiteral } from '../../imports/copy-text.js';
import type { NoteFault, StagedValue } from '../../imports/import-kind.js';
import { numericFromMinor, parseMoney } from '../../platform/money/money.js';
import {
  isWebAddress,
  lineFault,
  optionalLineFault,
  paragraphFault,
} from '../../platform/validation/operator-text.js';
import { CATALOG_LIMITS } from '../rules/catalog-limits.js';
import { validateVariations } from '../rules/validate-variations.js';
import { parseVariations } from '../rules/variation-list.js';
import { variationKeys } from '../../read-model/products/variations.js';

const ACTIVE: Record<string, boolean> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

/** The values of a product as they are staged: those of the columns, then the keys under which it is stocked. */
export function readProduct(cells: readonly string[], note: NoteFault): StagedValue[] {
  const [
    sku = '',
    name = '',
    description = '',
    category = '',
    images = '',
    base = '',
    delivery = '',
    active = '',
    variations = '',
  ] = cells;
  // What is bad, and perhaps very long, is told but not staged.
  const unlessBad = (column: string, text: string, fault: string | undefined) => {
    if (fault !== undefined) note(column, fault);
    return fault === undefined ? text : null;
  };
  return [
    unlessBad('sku', sku, lineFault(sku, CATALOG_LIMITS.sku)),
    unlessBad('name', name, lineFault(name, CATALOG_LIMITS.name)),
    unlessBad('description', description, paragraphFault(description, CATALOG_LIMITS.description)),
    unlessBad('category', category, optionalLineFault(category, CATALOG_LIMITS.category)),
    arrayLiteral(readImages(images, note)),
    readPrice('base_price', base, note),
    readPrice('delivery_charge', delivery, note),
    readActive(active, note),
    ...readVariations(variations, note),
  ];
}

function readImages(text: string, note: NoteFault): string[] {
  const images = text === '' ? [] : text.split(/\s+/);
  if (images.length > CATALOG_LIMITS.images) note('images', `must be at most ${CATALOG_LIMITS.images}`);
  const bad = images.find((image) => image.length > CATALOG_LIMITS.imageAddress || !isWebAddress(image));
  if (bad === undefined) return images;
  note(
    'images',
    `must be http or https addresses separated by spaces, which ${JSON.stringify(bad.slice(0, 80))} is not`,
  );
  return [];
}

function readPrice(column: string, text: string, note: NoteFault): string | null {
  const parsed = parseMoney(text);
  if ('minor' in parsed) return numericFromMinor(parsed.minor);
  note(column, parsed.fault);
  return null;
}

function readActive(text: string, note: NoteFault): StagedValue {
  const active = ACTIVE[text.toLowerCase()];
  if (active === undefined) note('active', 'must be true or false');
  return active ? 't' : 'f';
}

function readVariations(text: string, note: NoteFault): [variations: string, keys: string] {
  const parsed = parseVariations(text);
  const faults = 'fault' in parsed ? [parsed.fault] : validateVariations(parsed);
  if (faults.length > 0 || 'fault' in parsed) {
    note('variations', faults.join(' '));
    return ['[]', '{}'];
  }
  return [JSON.stringify(parsed), arrayLiteral(variationKeys(parsed))];
}
