import { Injectable } from '@nestjs/common';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { PicturesService } from '../pictures/pictures.service.js';
import { ProductAdministration } from './product-administration.service.js';

/** Uploaded pictures of products. A change is an import of the column `images`, with its checks. */
@Injectable()
export class ProductPictures {
  constructor(
    private readonly pictures: PicturesService,
    private readonly products: ProductAdministration,
  ) {}

  async add(sku: string, bytes: Buffer, owner: ThreadOwner, actor: string): Promise<void> {
    await this.products.show(sku);
    const path = await this.pictures.add(bytes, owner);
    await this.change(sku, actor, (images) => [...images, path]);
  }

  remove(sku: string, image: string, actor: string): Promise<void> {
    return this.change(sku, actor, (images) => images.filter((each) => each !== image));
  }

  private async change(sku: string, actor: string, next: (images: string[]) => string[]): Promise<void> {
    const { images: before, was } = await this.products.show(sku);
    const images = [...new Set(next(addressesIn(before)))].join(' ');
    if (images !== before) await this.products.set(sku, { images }, { actor }, was);
  }
}

const addressesIn = (cell: string | boolean) => String(cell).split(' ').filter(Boolean);
