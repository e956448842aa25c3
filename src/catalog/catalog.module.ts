import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportsModule } from '../imports/imports.module.js';
import { CatalogService } from './catalog.service.js';
import { CatalogFiles } from './files/catalog-files.js';
import { ProductAdministration } from './product-administration.js';
import { Product } from './product.entity.js';

@Module({
  imports: [ImportsModule, TypeOrmModule.forFeature([Product])],
  providers: [CatalogFiles, CatalogService, ProductAdministration],
  exports: [CatalogFiles, CatalogService, ProductAdministration],
})
export class CatalogModule {}
