import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { DomainError } from '../platform/errors/domain-error.js';
import { isStorableText } from '../platform/validation/texts.js';
import { Product } from './product.entity.js';

@Injectable()
export class ProductRepository {
  constructor(@InjectRepository(Product) private readonly products: Repository<Product>) {}

  /** Active or not. Inside a transaction, pass its manager. */
  async bySku(sku: string, manager: EntityManager = this.products.manager): Promise<Product> {
    const product = isStorableText(sku) ? await manager.findOneBy(Product, { sku }) : null;
    if (!product) throw new DomainError('product_not_found', `There is no product "${sku}".`);
    return product;
  }
}
