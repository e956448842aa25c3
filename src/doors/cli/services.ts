import { AuditLog } from '../../audit/audit-log.js';
import { ClientAdministration } from '../../auth/clients/client-administration.js';
import { ClientFinder } from '../../auth/clients/client-finder.js';
import { PeopleAdministration } from '../../auth/people/people-administration.js';
import { PeopleList, PersonFinder } from '../../auth/people/people-list.js';
import { SubscriptionAdministration } from '../../auth/subscriptions/subscription-administration.js';
import { ClientDomains } from '../../auth/tokens/client-domains.js';
import { TokenAdministration } from '../../auth/tokens/token-administration.js';
import { CatalogFiles } from '../../catalog/files/catalog-files.js';
import { ProductAdministration } from '../../catalog/product-administration.js';
import { DemoUnload } from '../../demo/demo-unload.js';
import { SyntheticLoad } from '../../demo/synthetic-load.js';
import { MailDesk } from '../../mail/mail-desk.js';
import { AutoPayAdministration } from '../../orders/paying/auto-pay-administration.js';
import { OrderDesk } from '../../orders/desk/order-desk.service.js';
import { ParcelFiles } from '../../orders/desk/parcel-files.service.js';
import { OrderedGoods } from '../../orders/ordered-goods.service.js';
import { PaymentDesk } from '../../payments/desk/payment-desk.js';
import { TestMoney } from '../../payments/test-money.js';
import { BankTransfers } from '../../payments/transfers/bank-transfers.js';
import { ChangeLog } from '../../plans/changes/change-log.js';
import { PlanAdministration } from '../../plans/plan-administration.js';
import { PriceFiles } from '../../plans/prices/price-files.js';
import { StockFiles } from '../../stock/files/stock-files.js';
import { StockLookUps } from '../../stock/stock-look-ups.js';
import { StockReceipts } from '../../stock/stock-receipts.js';
import { WalletAdministration } from '../../wallet/wallet-administration.js';
import { WalletBooks } from '../../payments/wallet-books.js';

/** What commands call, by the names under which they call it. */
export const SERVICES = {
  auditLog: AuditLog,
  autoPay: AutoPayAdministration,
  catalogFiles: CatalogFiles,
  changeLog: ChangeLog,
  clientFinder: ClientFinder,
  clients: ClientAdministration,
  domains: ClientDomains,
  demo: SyntheticLoad,
  demoUnload: DemoUnload,
  mail: MailDesk,
  orderedGoods: OrderedGoods,
  orders: OrderDesk,
  payments: PaymentDesk,
  people: PeopleList,
  peopleAdministration: PeopleAdministration,
  personFinder: PersonFinder,
  plans: PlanAdministration,
  products: ProductAdministration,
  priceFiles: PriceFiles,
  parcelFiles: ParcelFiles,
  stockFiles: StockFiles,
  stockLookUps: StockLookUps,
  stockReceipts: StockReceipts,
  subscriptions: SubscriptionAdministration,
  testMoney: TestMoney,
  tokens: TokenAdministration,
  transfers: BankTransfers,
  walletBooks: WalletBooks,
  wallets: WalletAdministration,
};

export type Services = { [Name in keyof typeof SERVICES]: InstanceType<(typeof SERVICES)[Name]> };
