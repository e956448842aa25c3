import { Controller, Get, Module, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Open } from '../../platform/access/access-rule.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { KeptFile } from '../../platform/http/representation.js';
import { findAsset } from './assets.js';

/** All sites share these files, so a browser loads them once. */
@ApiExcludeController()
@Open()
@Controller('assets')
class AssetsController {
  @Get(':name')
  file(@Param('name') name: string, @Req() { path }: Request): KeptFile {
    const asset = findAsset(name);
    if (!asset) throw new DomainError('route_not_found', 'There is no such address.');
    return asset.fileAt(path);
  }
}

@Module({ controllers: [AssetsController] })
export class PagesModule {}
