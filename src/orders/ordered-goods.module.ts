import { Module } from '@nestjs/common';
import { Importer } from '../imports/importer.service.js';
import { ImportsModule } from '../imports/imports.module.js';
import { StockFiles } from '../stock/stock-files.service.js';
import { StockHoldings } from '../stock/stock-holdings.repository.js';
import { StockModule } from '../stock/stock.module.js';
import { OrderedGoods, SHIPPED_GOODS } from './ordered-goods.repository.js';

/** Commands on goods that need to know what orders hold and what they shipped. */
@Module({
  imports: [ImportsModule, StockModule],
  providers: [
    OrderedGoods,
    {
      provide: StockFiles,
      inject: [StockHoldings, Importer],
      useFactory: (holdings: StockHoldings, importer: Importer) =>
        new StockFiles(holdings, importer, SHIPPED_GOODS),
    },
  ],
  exports: [OrderedGoods, StockFiles],
})
export class OrderedGoodsModule {}
