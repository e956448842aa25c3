import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { ImportsModule } from '../../shared/imports/imports.module.js';
import { PicturesModule } from '../pictures/pictures.module.js';
import { CatalogBrowser } from './catalog-browser.service.js';
import { CatalogFiles } from './catalog-files.service.js';
import { CatalogService } from './catalog.service.js';
import { ProductAdministration } from './product-administration.service.js';
import { ProductPictures } from './product-pictures.service.js';
import { Product } from './product.entity.js';
import { ProductRepository } from './product.repository.js';
import { ProductSearch } from './product-search.repository.js';
import { AdminCatalogFilesController } from './admin/admin-catalog-files.controller.js';
import { CatalogController } from './store-catalog.controller.js';

const SERVICES = [
  CatalogBrowser,
  CatalogFiles,
  CatalogService,
  ProductAdministration,
  ProductPictures,
  ProductRepository,
  ProductSearch,
];

@Module({
  imports: [AuditModule, ImportsModule, PicturesModule, TypeOrmModule.forFeature([Product])],
  controllers: [CatalogController, AdminCatalogFilesController],
  providers: SERVICES,
  exports: SERVICES,
})
export class CatalogModule {}
