import { Module } from '@nestjs/common';
import { ImportsModule } from '../imports/imports.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { CatalogBrowser } from './catalog-browser.service.js';
import { CatalogFiles } from './catalog-files.service.js';
import { CatalogService } from './catalog.service.js';
import { ProductAdministration } from './product-administration.service.js';
import { ProductSearch } from './product-search.repository.js';

const SERVICES = [CatalogBrowser, CatalogFiles, CatalogService, ProductAdministration, ProductSearch];

@Module({ imports: [ImportsModule, PlansModule], providers: SERVICES, exports: SERVICES })
export class CatalogModule {}
