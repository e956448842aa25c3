import { Controller, Get, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Open } from '../../platform/access/access-rule.js';
import {
  type EncodedBody,
  encodedAs,
  IMMUTABLE,
  Representation,
} from '../../platform/http/representation.js';
import { PICTURES_PATH } from './picture-paths.js';
import { PicturesService, TYPES } from './pictures.service.js';
import type { PictureType } from './rules/picture-header.js';

/** Pictures are public: stores show them to their customers. */
@ApiExcludeController()
@Open()
@Controller(PICTURES_PATH)
export class PicturesController {
  constructor(private readonly pictures: PicturesService) {}

  @Get('small/:name')
  thumbnail(@Param('name') name: string): Representation {
    return new PictureFile(`small/${name}`, this.pictures);
  }

  @Get(':name')
  picture(@Param('name') name: string): Representation {
    return new PictureFile(name, this.pictures);
  }
}

/** Read only if the browser has no copy. */
class PictureFile extends Representation {
  override readonly compressible = false;

  constructor(
    private readonly name: string,
    private readonly pictures: PicturesService,
  ) {
    super(TYPES[name.split('.').pop() as PictureType]);
  }

  override get cacheControl(): string {
    return IMMUTABLE;
  }

  override get vary(): string {
    return 'Accept-Encoding';
  }

  override etag(): string {
    return `"${this.name}"`;
  }

  override async encode(): Promise<EncodedBody> {
    return encodedAs(this.etag(), await this.pictures.read(this.name));
  }
}
