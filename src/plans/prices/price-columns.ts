import { WAS } from '../../imports/what-it-was.js';

export const PRICE_COLUMNS = ['plan', 'sku', 'wholesale_price'] as const;

export const PRICE_EXPORT_COLUMNS = [...PRICE_COLUMNS, WAS] as const;

export type PriceRow = Record<(typeof PRICE_EXPORT_COLUMNS)[number], string>;
