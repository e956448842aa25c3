import { Module } from '@nestjs/common';
import { CatalogController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';
import { SkuSuggestions } from './sku-suggestions.js';

@Module({
  controllers: [CatalogController],
  providers: [CatalogService, SkuSuggestions],
  exports: [SkuSuggestions],
})
export class CatalogModule {}
