import type { CatalogFiles } from '../catalog/catalog-files.js';
import type { ClientAdministration } from '../clients/client-administration.js';
import type { SubscriptionAdministration } from '../clients/subscription-administration.js';
import type { TokenAdministration } from '../clients/token-administration.js';
import type { SyntheticLoad } from '../demo/synthetic-load.js';
import type { OrderDesk } from '../orders/desk/order-desk.js';
import type { ShipmentFiles } from '../orders/desk/shipment-files.js';
import type { PlanAdministration } from '../plans/plan-administration.js';
import type { PriceFiles } from '../plans/price-files.js';
import type { StockFiles } from '../stock/stock-files.js';
import type { StockReceipts } from '../stock/stock-receipts.js';

/** All that commands can call: the rules are there, not here. */
export interface Services {
  catalogFiles: CatalogFiles;
  clients: ClientAdministration;
  demo: SyntheticLoad;
  orders: OrderDesk;
  plans: PlanAdministration;
  priceFiles: PriceFiles;
  shipmentFiles: ShipmentFiles;
  stockFiles: StockFiles;
  stockReceipts: StockReceipts;
  subscriptions: SubscriptionAdministration;
  tokens: TokenAdministration;
}
