import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Open } from '../platform/access/access-rule.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { KeptFile } from '../platform/http/representation.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';
import { drawProduct } from './draw-product.js';

export const PICTURES_PATH = '/demo/pictures';

const NAME = /^([a-z0-9-]+)-(\d)\.svg$/;

/** Pictures of the demo's products. An address exists only while a product has it, for sale or not. */
@ApiExcludeController()
@Open()
@Controller(PICTURES_PATH)
export class DemoPictures {
  constructor(private readonly snapshot: SnapshotService) {}

  @Get(':name')
  picture(@Param('name') name: string, @Req() { path }: Request): KeptFile {
    const [, sku = '', number] = NAME.exec(name) ?? [];
    const product = this.snapshot.current().productIndex.findAny(sku.toUpperCase());
    if (!product?.images.some((image) => image.endsWith(path)))
      throw new DomainError('route_not_found', 'There is no such address.');
    return new KeptFile('image/svg+xml', Buffer.from(drawProduct(product, Number(number))));
  }
}
