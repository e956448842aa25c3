import { Module } from '@nestjs/common';
import { ImportsModule } from '../imports/imports.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ProductsModule } from '../products/products.module.js';
import { CatalogBrowser } from './catalog-browser.service.js';
import { CatalogFiles } from './catalog-files.service.js';
import { CatalogService } from './catalog.service.js';
import { ProductAdministration } from './product-administration.service.js';

const SERVICES = [CatalogBrowser, CatalogFiles, CatalogService, ProductAdministration];

@Module({ imports: [ImportsModule, PlansModule, ProductsModule], providers: SERVICES, exports: SERVICES })
export class CatalogModule {}
