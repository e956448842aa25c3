import { Injectable } from '@nestjs/common';
import { AuditLog, differences } from '../audit/audit-log.js';
import type { RowFault, ImportOptions } from '../../shared/imports/import-kind.js';
import { importRow } from '../../shared/imports/import-row.js';
import { WAS } from '../../shared/imports/import-guards.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import {
  CATALOG_COLUMNS,
  type CatalogRow,
  type EDITABLE_COLUMNS,
  type ExportedProduct,
} from './catalog-columns.js';
import { CatalogFiles } from './catalog-files.service.js';

/** Each value as a cell of the catalog file. */
export type ProductChange = Partial<Record<(typeof EDITABLE_COLUMNS)[number], string>>;

export interface ProductUpdateResult {
  product: CatalogRow;
  changed: { column: string; from: string | boolean; to: string | boolean }[];
  warnings: RowFault[];
}

/** A trigger logs changes of facts that tax documents copy. */
const LOGGED_ELSEWHERE = { hsn: '', gst_rate: '', gst_treatment: '', unit: '' };

/** Commands for single products. A change is an import of one row, with the same checks. */
@Injectable()
export class ProductAdministration {
  constructor(
    private readonly files: CatalogFiles,
    private readonly audit: AuditLog,
  ) {}

  /** The values as in the catalog file, with the mark `was`. */
  show(sku: string): Promise<ExportedProduct> {
    return this.files.exported(sku);
  }

  /**
   * With `was`, the mark of the values that a person saw, a product that has changed since stays unchanged.
   */
  async set(
    sku: string,
    change: ProductChange,
    options: ImportOptions,
    was?: string,
  ): Promise<ProductUpdateResult> {
    const before = await this.show(sku);
    if (was !== undefined && was !== before.was) throw changedMeanwhile(sku);
    const { warnings } = await this.import(sku, change, options, was);
    const { was: _, ...product } = await this.show(sku);
    const changed = CATALOG_COLUMNS.map((column) => ({ column, from: before[column], to: product[column] }));
    const { was: __, ...values } = before;
    const details = differences({ ...values, ...LOGGED_ELSEWHERE }, { ...product, ...LOGGED_ELSEWHERE });
    const auditEntry = { action: 'product.changed', subject: `product ${sku}`, details } as const;
    if (Object.keys(details).length > 0)
      await this.audit.record({ ...auditEntry, actor: options.actor, clientId: null });
    return { product, changed: changed.filter(({ from, to }) => from !== to), warnings };
  }

  /** Previews `set`, or throws its refusal. */
  async preview(sku: string, change: ProductChange, options: ImportOptions, was?: string) {
    const now = await this.show(sku);
    if (was !== undefined && now.was !== was) throw changedMeanwhile(sku);
    return this.import(sku, change, { ...options, dryRun: true }, was);
  }

  /** A new product with these values; values that are left out have their defaults. */
  async add(sku: string, values: ProductChange, options: ImportOptions): Promise<RowFault[]> {
    const { warnings } = await this.importNew(sku, values, options);
    const auditEntry = {
      action: 'product.added',
      subject: `product ${sku}`,
      details: nonEmptyValues(values),
    } as const;
    await this.audit.record({ ...auditEntry, actor: options.actor, clientId: null });
    return warnings;
  }

  /** The warnings of `add`, or its refusal. */
  async previewNew(sku: string, values: ProductChange, options: ImportOptions): Promise<RowFault[]> {
    return (await this.importNew(sku, values, { ...options, dryRun: true })).warnings;
  }

  private async importNew(sku: string, values: ProductChange, options: ImportOptions) {
    // An import passes over a row whose cells are all empty.
    if (sku.trim() === '') throw skuMissing();
    if (await this.files.has(sku)) throw skuTaken(sku);
    const requiredCells = { sku, name: '', base_price: '', delivery_charge: '' };
    return importRow(this.files, { ...requiredCells, ...nonEmptyValues(values) }, options, 'The product');
  }

  private async import(
    sku: string,
    change: ProductChange,
    options: ImportOptions,
    was?: string,
  ): ReturnType<typeof importRow> {
    const cells = { sku, ...change, ...(was !== undefined && { [WAS]: was }) };
    try {
      return await importRow(this.files, cells, { ...options, updateOnly: true }, 'The product');
    } catch (error) {
      if (was !== undefined && (await this.show(sku)).was !== was) throw changedMeanwhile(sku);
      throw error;
    }
  }

  /** Existing orders still get the product. */
  deactivate(sku: string, options: ImportOptions): Promise<ProductUpdateResult> {
    return this.set(sku, { active: 'false' }, options);
  }
}

/** An empty cell would replace the default. */
const nonEmptyValues = (values: ProductChange) =>
  Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));

function skuMissing(): DomainError {
  const errors = [{ field: 'sku', code: 'required', message: 'must not be empty' }];
  return new DomainError('invalid_value', 'The SKU must not be empty.', { errors });
}

function skuTaken(sku: string): DomainError {
  const errors = [{ field: 'sku', code: 'taken', message: 'is in the catalog already' }];
  return new DomainError('conflict', `The SKU ${sku} is in the catalog already. Choose another one.`, {
    errors,
  });
}

function changedMeanwhile(sku: string): DomainError {
  return new DomainError('conflict', `${sku} was changed in the meantime. Nothing was written.`);
}
