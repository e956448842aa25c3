import type { BankDetail } from './bank-details.js';
import type { GatewaySettings } from './gateway-settings.js';
import type { MailSettings } from './mail-settings.js';

/** How one node of the service is set up. Made once from the environment, then only read. */
export interface Settings {
  port: number;
  host: string;
  /** How many processes serve together. */
  workers: number;
  /** The number of this process among several, from 1 on. */
  worker?: number;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  databaseTimeoutMs: number;
  currency: string;
  paymentWindowHours: number;
  /** For each client, in the currency; 0 is none. */
  unpaidValueLimit: number;
  unpaidOrdersLimit: number;
  expiryIntervalSeconds: number;
  snapshotIntervalMs: number;
  snapshotMaxAgeSeconds: number;
  rateLimitPerMinute: number;
  /** How long a session is good without a request, and however busy it is. */
  sessionIdleMinutes: number;
  sessionDays: number;
  shutdownDrainSeconds: number;
  shutdownGraceSeconds: number;
  trustProxy: number | string[] | false;
  accessLog: 'all' | 'default' | 'off';
  /** For which domains clients make tokens themselves: those that the wholesaler has allowed them, or any. */
  tokenDomains: 'allowed' | 'any';
  /** How long the stores' requests are kept; 0: not at all. */
  requestLogDays: number;
  metricsPort: number | undefined;
  metricsHost: string;
  paymentGateway: GatewaySettings;
  /** Where clients send money by bank; none: they are not told of that way. */
  bankDetails: readonly BankDetail[];
  /** Where browsers find the service: an origin, without a slash at its end. */
  publicUrl: string | undefined;
  /** Without it no mail is sent, and links are shown instead. */
  mail: MailSettings | undefined;
}

/** Injection token of the settings: an interface leaves none of its own. */
export const SETTINGS = Symbol('Settings');
