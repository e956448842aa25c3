import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportsModule } from '../imports/imports.module.js';
import { CatalogBrowser } from './browsing/catalog-browser.js';
import { CatalogService } from './catalog.service.js';
import { CatalogFiles } from './files/catalog-files.js';
import { ProductAdministration } from './product-administration.js';
import { Product } from '../products/product.entity.js';

@Module({
  imports: [ImportsModule, TypeOrmModule.forFeature([Product])],
  providers: [CatalogBrowser, CatalogFiles, CatalogService, ProductAdministration],
  exports: [CatalogBrowser, CatalogFiles, CatalogService, ProductAdministration],
})
export class CatalogModule {}
