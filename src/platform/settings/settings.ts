import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import type { Day, TimeZone } from '../time/time.js';
import type { Detail } from './details.js';
import { Firm } from './firm.js';
import type { GatewaySettings } from './gateway-settings.js';
import type { MailSettings } from './mail-settings.js';

/** The settings of one node. Made once from the environment, then only read. */
export interface Settings {
  port: number;
  host: string;
  /** The number of processes that serve together. */
  workers: number;
  /** The number of this process among the workers, from 1. */
  worker?: number;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Bypasses a pooler, for work that needs its own session. Without a pooler `AppModule` sets it. */
  databaseDirectUrl: string | undefined;
  databasePoolSize: number;
  databaseTimeoutMs: number;
  /** A newer version has migrated the database, and this one may serve with it. */
  allowNewerSchema: boolean;
  currency: string;
  /** The zone of days and months, for everyone who has no zone of their own. The API is UTC. */
  timeZone: TimeZone;
  paymentWindowHours: number;
  /** The names of the countries to which orders may go. */
  servedCountries: readonly string[];
  /** A paid order should leave within this number of days. */
  shipWithinDays: number;
  /** The number of days in which a shipped order should be delivered. */
  deliverWithinDays: number;
  /** For each client, in the currency; 0 is no limit. */
  unpaidValueLimit: number;
  unpaidOrdersLimit: number;
  expiryIntervalSeconds: number;
  snapshotIntervalMs: number;
  snapshotMaxAgeSeconds: number;
  /** A node whose clock differs more from the database's serves nothing. */
  maxClockSkewSeconds: number;
  rateLimitPerMinute: number;
  /** A session ends after this time without a request, and after this many days in any case. */
  sessionIdleMinutes: number;
  sessionDays: number;
  shutdownDrainSeconds: number;
  shutdownGraceSeconds: number;
  trustProxy: number | string[] | false;
  accessLog: 'all' | 'default' | 'off';
  /** Clients create tokens themselves for any domain, or only for domains that the wholesaler allows. */
  tokenDomains: 'allowed' | 'any';
  /** Stores ask for returns by the API, or people in the dashboard alone. */
  returnsByApi: boolean;
  /** How long store requests are kept; 0: not at all. */
  requestLogDays: number;
  metricsPort: number | undefined;
  metricsHost: string;
  /** `gst`: the wholesaler issues Indian invoices as soon as the seller is set. `none`: there is no tax. */
  tax: 'gst' | 'none';
  /** Additional rates of GST, in hundredths of a percent. */
  moreGstRates: readonly number[];
  /** The minimum number of digits of an HSN code. */
  hsnDigits: number;
  /** Documents of this day and later need an IRN, if they are for clients with a GSTIN. Undefined: none. */
  eInvoicesFrom: Day | undefined;
  /** An invoice with more taxed goods, in rupees with tax, needs an e-way bill. 0: none does. */
  eWayBillFrom: number;
  paymentGateway: GatewaySettings;
  /** The account for bank transfers; if empty, the desk sets it. */
  bankDetails: readonly Detail[];
  /** How clients reach the wholesaler: e-mail, phone, hours. If empty, the desk sets it. */
  contact: readonly Detail[];
  /** The address for browsers: an origin, without a slash at the end. */
  publicUrl: string | undefined;
  /** One person tries the service on one machine. The wholesaler's people may sign in by password alone. */
  isOnTrial: boolean;
  /** Without demo and sample data. */
  isProduction: boolean;
  /** Without a mail server no mail is sent, and links are shown instead. */
  mail: MailSettings | undefined;
}

/** For the commands and forms of tax. */
export function requireTax({ tax }: Settings): void {
  if (tax === 'none')
    throw new DomainError('conflict', 'Tax is turned off for this service. The setting TAX turns it on.');
}

/** Injection token, because an interface has no runtime value. */
export const SETTINGS = Symbol('Settings');

@Global()
@Module({})
export class SettingsModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: SettingsModule,
      providers: [{ provide: SETTINGS, useValue: settings }, Firm],
      exports: [SETTINGS, Firm],
    };
  }
}
