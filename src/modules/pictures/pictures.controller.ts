import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Open } from '../../platform/access/access-rule.js';
import { callerNetwork } from '../../platform/http/caller-address.js';
import {
  type EncodedBody,
  encodedAs,
  IMMUTABLE,
  Representation,
} from '../../platform/http/representation.js';
import { PICTURES_PATH, pictureType } from './picture-paths.js';
import { noSuchPicture, PicturesService, TYPES } from './pictures.service.js';

/** Pictures are public: stores show them to their customers. */
@ApiExcludeController()
@Open()
@Controller(PICTURES_PATH)
export class PicturesController {
  constructor(private readonly pictures: PicturesService) {}

  @Get('small/:name')
  thumbnail(@Param('name') name: string, @Req() request: Request): Representation {
    return this.file(`small/${name}`, request);
  }

  @Get(':name')
  picture(@Param('name') name: string, @Req() request: Request): Representation {
    return this.file(name, request);
  }

  /** A name that no picture can have becomes neither a header nor an entry of the cache. */
  private file(name: string, request: Request): Representation {
    const type = pictureType(name);
    if (type === undefined) throw noSuchPicture();
    return new PictureFile(name, TYPES[type], () => this.pictures.read(name, callerNetwork(request)));
  }
}

/** Read only if the browser has no copy. */
class PictureFile extends Representation {
  override readonly compressible = false;

  constructor(
    private readonly name: string,
    type: string,
    private readonly read: () => Promise<Buffer>,
  ) {
    super(type);
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
    return encodedAs(this.etag(), await this.read());
  }
}
