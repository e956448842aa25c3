import { AdminKeysService } from '../modules/auth/keys/admin-keys.service.js';
import { AuditListRepository } from '../modules/audit/audit-list.repository.js';
import { AuditLog } from '../modules/audit/audit-log.js';
import { ClientAdministrationService } from '../modules/clients/client-administration.service.js';
import { ClientFinderService } from '../modules/clients/client-finder.service.js';
import { NewClientsService } from '../modules/auth/new-clients.service.js';
import { PeopleAdministrationService } from '../modules/people/people-administration.service.js';
import { PeopleListService } from '../modules/people/people-list.service.js';
import { SubscriptionAdministrationService } from '../modules/clients/subscription-administration.service.js';
import { ClientDomainsService } from '../modules/clients/client-domains.service.js';
import { TokenAdministrationService } from '../modules/auth/tokens/token-administration.service.js';
import { CatalogFiles } from '../modules/catalog/catalog-files.service.js';
import { ProductAdministration } from '../modules/catalog/product-administration.service.js';
import { DemoUnload } from '../demo/demo-unload.service.js';
import { SyntheticLoad } from '../demo/synthetic-load.service.js';
import { ImportFiles } from '../shared/imports/file-source.js';
import { DocumentSeriesService } from '../modules/invoices/document-series.service.js';
import { EInvoicesService } from '../modules/invoices/e-invoices.service.js';
import { EWayBillsService } from '../modules/invoices/e-way-bills.service.js';
import { SellersService } from '../modules/invoices/sellers.service.js';
import { FiledReturnsService } from '../modules/invoices/filed-returns.service.js';
import { GstReportService } from '../modules/invoices/gst-report.service.js';
import { TaxDocumentsService } from '../modules/invoices/tax-documents.service.js';
import { MailDesk } from '../shared/mail/mail-desk.service.js';
import { AutoPayService } from '../modules/orders/auto-pay/auto-pay.service.js';
import { OrderDeskService } from '../modules/orders/records/order-desk.service.js';
import { ParcelFilesService } from '../modules/fulfilment/parcels/parcel-files.service.js';
import { OrderedGoods } from '../modules/orders/ordered-goods.repository.js';
import { OrderReturnsService } from '../modules/fulfilment/returns/order-returns.service.js';
import { ReturnsRepository } from '../modules/fulfilment/returns/returns.repository.js';
import { PackingService } from '../modules/fulfilment/packing/packing.service.js';
import { PaymentDeskService } from '../modules/payments/payment-desk.service.js';
import { StatementMailsService } from '../modules/notices/statement-mails.service.js';
import { StatementsService } from '../modules/payments/statements.service.js';
import { TestMoneyService } from '../modules/payments/test-money.service.js';
import { BankTransfersService } from '../modules/payments/bank-transfers.service.js';
import type { Settings } from '../platform/settings/settings.js';
import { ChangeLog } from '../modules/plans/change-log.repository.js';
import { PlanAdministration } from '../modules/plans/plan-administration.service.js';
import { PriceFiles } from '../modules/plans/price-files.service.js';
import { SalesService } from '../modules/sales/sales.service.js';
import { PriceSchedules } from '../modules/plans/price-schedules.service.js';
import { BooksService } from '../modules/sales/vouchers/books.service.js';
import { VouchersService } from '../modules/sales/vouchers/vouchers.service.js';
import { StockAdministration } from '../modules/stock/stock-administration.service.js';
import { StockFiles } from '../modules/stock/stock-files.service.js';
import { WalletService } from '../modules/wallet/wallet.service.js';
import { WalletBooks } from '../modules/payments/wallet-books.repository.js';

export const SERVICES = {
  adminKeys: AdminKeysService,
  auditEntries: AuditListRepository,
  auditLog: AuditLog,
  autoPay: AutoPayService,
  books: BooksService,
  catalogFiles: CatalogFiles,
  changeLog: ChangeLog,
  clientFinder: ClientFinderService,
  clients: ClientAdministrationService,
  domains: ClientDomainsService,
  demo: SyntheticLoad,
  demoUnload: DemoUnload,
  eInvoices: EInvoicesService,
  filedReturns: FiledReturnsService,
  eWayBills: EWayBillsService,
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
  statementMails: StatementMailsService,
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
