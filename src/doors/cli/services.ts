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
import { AutoPayService } from '../../orders/auto-pay/auto-pay.service.js';
import { OrderDeskService } from '../../orders/desk/order-desk.service.js';
import { ParcelFilesService } from '../../orders/desk/parcel-files.service.js';
import { OrderedGoodsRepository } from '../../orders/ordered-goods.repository.js';
import { PaymentDeskService } from '../../payments/payment-desk.service.js';
import { TestMoneyService } from '../../payments/test-money.service.js';
import { BankTransfersService } from '../../payments/bank-transfers.service.js';
import { ChangeLog } from '../../plans/changes/change-log.js';
import { PlanAdministration } from '../../plans/plan-administration.js';
import { PriceFiles } from '../../plans/prices/price-files.js';
import { StockFiles } from '../../stock/files/stock-files.js';
import { StockLookUps } from '../../stock/stock-look-ups.js';
import { StockReceipts } from '../../stock/stock-receipts.js';
import { WalletService } from '../../wallet/wallet.service.js';
import { WalletBooksRepository } from '../../payments/wallet-books.repository.js';

/** What commands call, by the names under which they call it. */
export const SERVICES = {
  auditLog: AuditLog,
  autoPay: AutoPayService,
  catalogFiles: CatalogFiles,
  changeLog: ChangeLog,
  clientFinder: ClientFinder,
  clients: ClientAdministration,
  domains: ClientDomains,
  demo: SyntheticLoad,
  demoUnload: DemoUnload,
  mail: MailDesk,
  orderedGoods: OrderedGoodsRepository,
  orders: OrderDeskService,
  payments: PaymentDeskService,
  people: PeopleList,
  peopleAdministration: PeopleAdministration,
  personFinder: PersonFinder,
  plans: PlanAdministration,
  products: ProductAdministration,
  priceFiles: PriceFiles,
  parcelFiles: ParcelFilesService,
  stockFiles: StockFiles,
  stockLookUps: StockLookUps,
  stockReceipts: StockReceipts,
  subscriptions: SubscriptionAdministration,
  testMoney: TestMoneyService,
  tokens: TokenAdministration,
  transfers: BankTransfersService,
  walletBooks: WalletBooksRepository,
  wallets: WalletService,
};

export type Services = { [Name in keyof typeof SERVICES]: InstanceType<(typeof SERVICES)[Name]> };
