import { AuditListRepository } from '../../audit/audit-list.repository.js';
import { AuditLog } from '../../audit/audit-log.js';
import { ClientAdministrationService } from '../../clients/client-administration.service.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { NewClientsService } from '../../auth/new-clients.service.js';
import { PeopleAdministrationService } from '../../people/people-administration.service.js';
import { PeopleListService } from '../../people/people-list.service.js';
import { SubscriptionAdministrationService } from '../../clients/subscription-administration.service.js';
import { ClientDomainsService } from '../../clients/client-domains.service.js';
import { TokenAdministrationService } from '../../auth/tokens/token-administration.service.js';
import { CatalogFiles } from '../../catalog/catalog-files.service.js';
import { ProductAdministration } from '../../catalog/product-administration.service.js';
import { DemoUnload } from '../../demo/demo-unload.service.js';
import { SyntheticLoad } from '../../demo/synthetic-load.service.js';
import { ImportFiles } from '../../imports/file-source.js';
import { DocumentSeriesService } from '../../invoices/document-series.service.js';
import { EInvoicesService } from '../../invoices/e-invoices.service.js';
import { SellersService } from '../../invoices/sellers.service.js';
import { GstReportService } from '../../invoices/gst-report.js';
import { TaxDocumentsService } from '../../invoices/tax-documents.service.js';
import { MailDesk } from '../../mail/mail-desk.service.js';
import { AutoPayService } from '../../orders/auto-pay/auto-pay.service.js';
import { OrderDeskService } from '../../orders/records/order-desk.service.js';
import { ParcelFilesService } from '../../fulfilment/parcels/parcel-files.service.js';
import { OrderedGoods } from '../../orders/ordered-goods.repository.js';
import { OrderReturnsService } from '../../fulfilment/returns/order-returns.service.js';
import { ReturnsRepository } from '../../fulfilment/returns/returns.repository.js';
import { PackingService } from '../../fulfilment/packing/packing.service.js';
import { PaymentDeskService } from '../../payments/payment-desk.service.js';
import { StatementsService } from '../../payments/statements.service.js';
import { TestMoneyService } from '../../payments/test-money.service.js';
import { BankTransfersService } from '../../payments/bank-transfers.service.js';
import type { Settings } from '../../platform/settings/settings.js';
import { ChangeLog } from '../../plans/change-log.repository.js';
import { PlanAdministration } from '../../plans/plan-administration.service.js';
import { PriceFiles } from '../../plans/price-files.service.js';
import { SalesService } from '../../sales/sales.service.js';
import { PriceSchedules } from '../../plans/price-schedules.service.js';
import { VouchersService } from '../../sales/vouchers/vouchers.service.js';
import { StockAdministration } from '../../stock/stock-administration.service.js';
import { StockFiles } from '../../stock/stock-files.service.js';
import { WalletService } from '../../wallet/wallet.service.js';
import { WalletBooks } from '../../payments/wallet-books.repository.js';

/** The services that commands call, by name. */
export const SERVICES = {
  auditEntries: AuditListRepository,
  auditLog: AuditLog,
  autoPay: AutoPayService,
  catalogFiles: CatalogFiles,
  changeLog: ChangeLog,
  clientFinder: ClientFinderService,
  clients: ClientAdministrationService,
  domains: ClientDomainsService,
  demo: SyntheticLoad,
  demoUnload: DemoUnload,
  eInvoices: EInvoicesService,
  gstReport: GstReportService,
  importFiles: ImportFiles,
  documents: TaxDocumentsService,
  documentSeries: DocumentSeriesService,
  mail: MailDesk,
  newClients: NewClientsService,
  orderedGoods: OrderedGoods,
  orders: OrderDeskService,
  packing: PackingService,
  payments: PaymentDeskService,
  people: PeopleListService,
  peopleAdministration: PeopleAdministrationService,
  plans: PlanAdministration,
  products: ProductAdministration,
  priceFiles: PriceFiles,
  priceSchedules: PriceSchedules,
  parcelFiles: ParcelFilesService,
  returnList: ReturnsRepository,
  returns: OrderReturnsService,
  sales: SalesService,
  sellers: SellersService,
  statements: StatementsService,
  stockFiles: StockFiles,
  stock: StockAdministration,
  subscriptions: SubscriptionAdministrationService,
  testMoney: TestMoneyService,
  tokens: TokenAdministrationService,
  transfers: BankTransfersService,
  vouchers: VouchersService,
  walletBooks: WalletBooks,
  wallets: WalletService,
};

export type Services = { [Name in keyof typeof SERVICES]: InstanceType<(typeof SERVICES)[Name]> } & Pick<
  Settings,
  'currency' | 'timeZone'
>;
