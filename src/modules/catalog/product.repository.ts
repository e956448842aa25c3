import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { fingerprint, WAS } from '../../shared/imports/import-guards.js';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { isStorableText } from '../../platform/validation/texts.js';
import { CATALOG_COLUMNS, type CatalogProduct } from './catalog-columns.js';
import { Product } from './product.entity.js';

/** SQL, because a cursor streams a catalog of any size, and the fingerprint is an expression. */
const EXPORT = `
  SELECT ${CATALOG_COLUMNS.join(', ')}, ${fingerprint(CATALOG_COLUMNS)} AS ${WAS} FROM products`;

/** A product with the mark of its values. */
export type MarkedProduct = CatalogProduct & { [WAS]: string };

@Injectable()
export class ProductRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Product) private readonly products: Repository<Product>,
  ) {}

  /** Active or not. Inside a transaction, pass its manager. */
  async bySku(sku: string, manager: EntityManager = this.products.manager): Promise<Product> {
    const product = isStorableText(sku) ? await manager.findOneBy(Product, { sku }) : null;
    return product ?? noProduct(sku);
  }

  async has(sku: string): Promise<boolean> {
    return isStorableText(sku) && (await this.products.existsBy({ sku }));
  }

  /** All products as in the catalog file, oldest first. */
  marked(): AsyncGenerator<MarkedProduct> {
    return this.database.stream<MarkedProduct>(`${EXPORT} ORDER BY id`);
  }

  async markedBySku(sku: string): Promise<MarkedProduct> {
    const text = `${EXPORT} WHERE sku = $1`;
    const [product] = isStorableText(sku) ? await this.database.query<MarkedProduct>({ text }, [sku]) : [];
    return product ?? noProduct(sku);
  }
}

function noProduct(sku: string): never {
  throw new DomainError('product_not_found', `There is no product "${sku}".`);
}
