import { WAS } from '../../imports/what-it-was.js';

export const STOCK_COLUMNS = ['sku', 'variation', 'quantity'] as const;

export const STOCK_EXPORT_COLUMNS = [...STOCK_COLUMNS, WAS] as const;

export interface StockRow {
  sku: string;
  variation: string;
  quantity: number;
  /** The quantity again, which nobody edits. */
  was: number;
}
