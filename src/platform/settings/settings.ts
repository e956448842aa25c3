import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { Firm } from './firm.js';
import { type GatewaySettings, gatewaySettings, isLoopback } from './gateway-settings.js';
import { type MailSettings, mailSettings } from './mail-settings.js';
import * as read from './setting-readers.js';

export const ENV_FILE = '.env';

/** A setting of a node. The desk lists it with its meaning, as `.env.example` does. */
interface Setting<Value> {
  name: string;
  /** The text if the variable is missing or empty. */
  fallback: string;
  reader: read.Reader<Value>;
  meaning: string;
}

/** The first half of a setting. `means` adds its meaning, in one line or several. */
function setting<Value>(name: string, fallback: string, reader: read.Reader<Value>) {
  return {
    means: (meaning: string): Setting<Value> => {
      return { name, fallback, reader, meaning: meaning.trim().replaceAll(/\s+/g, ' ') };
    },
  };
}

/** All settings, in the order of `.env.example`, which a spec compares. */
export const SETTINGS_TABLE = {
  port: setting('PORT', '3000', read.integer(0, 65_535)).means('Port of the service.'),
  host: setting('HOST', '0.0.0.0', read.text).means(`
    Network address of the service. 0.0.0.0: all of this machine.`),

  databaseUrl: setting('DATABASE_URL', '', read.optional(read.databaseUrl)).means(`
    PostgreSQL: postgres://user:password@host:5432/database. Empty: the service starts its own in DATA_DIR.`),
  databaseDirectUrl: setting('DATABASE_DIRECT_URL', '', read.optional(read.databaseUrl)).means(`
    With a pooler in DATABASE_URL: the direct address of PostgreSQL. The snapshot, imports, migrations and
    commands need it.`),
  dataDir: setting('DATA_DIR', '.data', read.text).means(`
    Directory of the service's own PostgreSQL, its passwords, the key of commands and the demo's
    credentials. With DATABASE_URL it has only the first admin's link.`),
  databasePoolSize: setting('DATABASE_POOL_SIZE', '10', read.integer(2, 200)).means(`
    Database connections of a node for requests. It has one more for its snapshot.`),
  databaseTimeoutMs: setting('DATABASE_TIMEOUT_MS', '2500', read.integer(100, 60_000)).means(`
    Time limit of a database statement, in milliseconds. Then the request gets 503. Waiting for a connection
    takes up to 2 s more.`),
  allowNewerSchema: setting('ALLOW_NEWER_SCHEMA', 'off', read.onOrOff).means(`
    on: this version serves with a database that a newer version has migrated. For going back. See
    docs/operations.md.`),

  currency: setting('CURRENCY', 'INR', read.currency).means(`
    Currency of all prices: a three-letter code of a currency with two decimals.`),
  timeZone: setting('TIME_ZONE', 'Asia/Kolkata', read.timeZone).means(`
    Time zone of days and months in pages, files, reports and commands. A client may have its own. The API
    uses UTC.`),
  servedCountries: setting('SERVED_COUNTRIES', 'India', read.countries).means(`
    Countries to which orders may go: English names or two-letter ISO codes, separated by commas. Other
    orders get 422.`),
  paymentWindowHours: setting('PAYMENT_WINDOW_HOURS', '72', read.integer(1, 8_760)).means(`
    An order that is unpaid after this time is cancelled, and its stock is free again.`),
  shipWithinDays: setting('SHIP_WITHIN_DAYS', '2', read.integer(0, 365)).means(`
    A paid order should ship within this number of days. The desk marks late orders. 0: on the same day.`),
  deliverWithinDays: setting('DELIVER_WITHIN_DAYS', '10', read.integer(1, 90)).means(`
    A shipped order should be delivered within this number of days. The desk lists late ones.`),
  unpaidValueLimit: setting('UNPAID_VALUE_LIMIT', '10000000', read.integer(0, 999_999_999)).means(`
    The most that the unpaid orders of one client may be worth, in CURRENCY. 0: no limit. A client may have
    its own limit.`),
  unpaidOrdersLimit: setting('UNPAID_ORDERS_LIMIT', '10000', read.integer(0, 999_999_999)).means(`
    The most unpaid orders of one client. 0: no limit. A client may have its own limit.`),
  expiryIntervalSeconds: setting('EXPIRY_INTERVAL_SECONDS', '60', read.integer(1, 86_400)).means(`
    Interval of the check for unpaid orders to cancel.`),

  snapshotIntervalMs: setting('SNAPSHOT_INTERVAL_MS', '250', read.integer(20, 1_000)).means(`
    Interval at which the snapshot in memory reads changes from the database, in milliseconds.`),
  snapshotMaxAgeSeconds: setting('SNAPSHOT_MAX_AGE_SECONDS', '900', read.integer(1, 86_400)).means(`
    While the database is away, reads are answered from the snapshot for this time.`),
  maxClockSkewSeconds: setting('MAX_CLOCK_SKEW_SECONDS', '60', read.integer(1, 86_400)).means(`
    A node whose clock differs more from the clock of the database answers 503, until its clock is right.`),

  rateLimitPerMinute: setting('RATE_LIMIT_PER_MINUTE', '12000', read.integer(0, 10_000_000)).means(`
    Units that a client may spend per minute at one node. A stock check costs 1, longer work more. 0: no
    limit.`),

  sessionIdleMinutes: setting('SESSION_IDLE_MINUTES', '720', read.integer(1, 525_600)).means(`
    A person must sign in again after this time without a request.`),
  sessionDays: setting('SESSION_DAYS', '14', read.integer(1, 365)).means(`
    A person must sign in again after this number of days in any case.`),

  trustProxy: setting('TRUST_PROXY', '', read.trustProxy).means(`
    Proxies that may report the caller's address: their number, or addresses and CIDR ranges separated by
    commas. Empty: none.`),

  shutdownDrainSeconds: setting('SHUTDOWN_DRAIN_SECONDS', '3', read.integer(0, 299)).means(`
    After SIGTERM the service reports "not ready", but serves requests for this time, so that the balancer
    notices.`),
  shutdownGraceSeconds: setting('SHUTDOWN_GRACE_SECONDS', '12', read.integer(1, 300)).means(`
    Time from SIGTERM until the process ends in any case. It includes the drain.`),

  accessLog: setting('ACCESS_LOG', 'default', read.oneOf('all', 'default', 'off')).means(`
    Requests in the log. all: every request. default: writes, refusals and errors; reads are only counted.
    off: none.`),
  tokenDomains: setting('TOKEN_DOMAINS', 'allowed', read.oneOf('allowed', 'any')).means(`
    Domains for which owners may create tokens in the dashboard. allowed: those that the wholesaler allows
    them. any: all.`),

  returnsByApi: setting('RETURNS_BY_API', 'on', read.onOrOff).means(`
    Stores may ask for returns by the API. off: only people in the dashboard.`),

  requestLogDays: setting('REQUEST_LOG_DAYS', '30', read.integer(0, 365)).means(`
    Number of days for which clients see the requests of their stores. Writes, refusals and errors are
    listed, all are counted by hour. 0: nothing is kept.`),
  metricsPort: setting('METRICS_PORT', '', read.optional(read.integer(0, 65_535))).means(`
    Port of /metrics for Prometheus. Empty: no metrics.`),
  metricsHost: setting('METRICS_HOST', '127.0.0.1', read.text).means('Network address of /metrics.'),

  tax: setting('TAX', 'gst', read.oneOf('gst', 'none')).means(`
    gst: Indian GST. Invoices begin when the seller is set. none: no tax, for sellers abroad or below the
    threshold.`),
  moreGstRates: setting('MORE_GST_RATES', '', read.gstRates).means(`
    Rates of GST beside 0, 0.1, 0.25, 1.5, 3, 5, 12, 18, 28 and 40 percent, separated by commas.`),
  hsnDigits: setting('HSN_DIGITS', '4', read.hsnDigits).means(`
    The least digits of an HSN code: 4, or 6 for a turnover above ₹5 crore.`),
  eInvoicesFrom: setting('E_INVOICES_FROM', '', read.optional(read.day)).means(`
    The first day whose invoices and notes for clients with a GSTIN need an IRN (e-invoices), such as
    2026-04-01. Empty: none. Needs HSN_DIGITS=6.`),
  eWayBillFrom: setting('E_WAY_BILL_FROM', '50000', read.integer(0, 999_999_999)).means(`
    Taxed goods worth more than this need an e-way bill, in rupees with tax, if they stay in the seller's
    state. Others: more than 50000, or this if it is less (Rule 138). 0: none.`),

  paymentGateway: setting('PAYMENT_GATEWAY', '', read.gateway).means(`
    Payment gateway: razorpay, sandbox (no money moves) or none. Empty: razorpay if its keys are set, else
    sandbox on a trial, else none. On a trial, DATABASE_URL and TRUST_PROXY are empty, PUBLIC_URL is empty or
    names this machine, and NODE_ENV is not "production".`),
  razorpayKeyId: setting('RAZORPAY_KEY_ID', '', read.optionalText).means(`
    Id of the key from Razorpay's dashboard. Set it with both secrets, or none of the three. See
    docs/operations.md.`),
  razorpayKeySecret: setting('RAZORPAY_KEY_SECRET', '', read.optionalText).means('Secret of this key.'),
  razorpayWebhookSecret: setting('RAZORPAY_WEBHOOK_SECRET', '', read.optionalText).means(`
    Secret of the webhook from Razorpay's dashboard.`),
  razorpayApiUrl: setting('RAZORPAY_API_URL', 'https://api.razorpay.com', read.baseUrl).means(`
    Address of Razorpay's API.`),
  bankDetails: setting('BANK_TRANSFER_DETAILS', '', read.details).means(`
    Bank account for transfers, shown in the dashboard: parts like "IFSC: HDFC0001234", separated by
    semicolons. Empty: admins set it at the desk. With the sandbox and neither: a made-up account.`),
  contact: setting('CONTACT', '', read.details).means(`
    Your contact, shown on the dashboard's help page: parts like "Phone: +91 98200 00000", separated by
    semicolons. Empty: admins set it at the desk.`),
  publicUrl: setting('PUBLIC_URL', '', read.optional(read.baseUrl)).means(`
    Address of the service for browsers, such as https://wholesale.example.com. Empty: http://localhost and
    PORT.`),
  smtpUrl: setting('SMTP_URL', '', read.optionalText).means(`
    Mail server: smtp://user:password@smtp.example.com:587 or smtps://…:465. Empty: no mail; pages and
    commands show the links. See docs/operations.md.`),
  mailFrom: setting('MAIL_FROM', '', read.optionalText).means(`
    Sender of mail, such as "Sharma Wholesale <orders@wholesale.example.com>". SMTP_URL needs it, and
    PUBLIC_URL too.`),
  nodeEnv: setting('NODE_ENV', '', read.optional(read.oneOf('production', 'development', 'test'))).means(`
    production, development (the default) or test. production: not a trial. No demo is loaded, and the
    sandbox takes payments only if PAYMENT_GATEWAY names it.`),
};

type Values = {
  [Field in keyof typeof SETTINGS_TABLE]: (typeof SETTINGS_TABLE)[Field] extends Setting<infer Value>
    ? Value
    : never;
};

/** The settings of one node. Made once from the environment, then only read. */
export interface Settings extends Omit<Values, 'paymentGateway' | 'smtpUrl' | 'nodeEnv'> {
  paymentGateway: GatewaySettings;
  /** Without a mail server no mail is sent, and links are shown instead. */
  mail: MailSettings | undefined;
  /** One person tries the service on one machine. The wholesaler's people may sign in by password alone. */
  isOnTrial: boolean;
  /** Without demo and sample data. */
  isProduction: boolean;
}

type Environment = Record<string, string | undefined>;

/** Reads the settings from the environment. One message reports all faults. */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = [];
  const given = (name: string) => environment[name]?.trim() ?? '';
  const readSetting = ({ name, fallback, reader }: Setting<unknown>) => {
    const earlier = faults.length;
    const value = reader(given(name) || fallback, (sentence) => faults.push(`${name} ${sentence}`));
    return faults.length === earlier ? value : reader(fallback, () => undefined);
  };
  const values = Object.fromEntries(
    Object.entries(SETTINGS_TABLE).map(([field, each]) => [field, readSetting(each)]),
  ) as Values;
  const isProduction = values.nodeEnv === 'production';
  const hasDatabase = given('DATABASE_URL') !== '';
  const isLocal = values.publicUrl === undefined || isLoopback(new URL(values.publicUrl).hostname);
  // HOST does not matter: without PUBLIC_URL and TRUST_PROXY no other machine can sign in.
  const isOnTrial = !isProduction && !hasDatabase && values.trustProxy === false && isLocal;
  const settings: Settings = {
    ...values,
    isProduction,
    isOnTrial,
    paymentGateway: gatewaySettings(values, isOnTrial, faults),
    mail: mailSettings(values, given('PUBLIC_URL') !== '', faults),
  };
  if (given('SHUTDOWN_DRAIN_SECONDS') === '')
    settings.shutdownDrainSeconds = Math.min(values.shutdownDrainSeconds, values.shutdownGraceSeconds - 1);
  if (settings.shutdownDrainSeconds >= settings.shutdownGraceSeconds)
    faults.push('SHUTDOWN_DRAIN_SECONDS is a part of SHUTDOWN_GRACE_SECONDS and must be less.');
  if (values.databaseDirectUrl !== undefined && !hasDatabase)
    faults.push('DATABASE_DIRECT_URL bypasses the pooler of DATABASE_URL, which must be set too.');
  if (given('E_INVOICES_FROM') !== '' && values.hsnDigits < 6)
    faults.push('E_INVOICES_FROM needs HSN_DIGITS=6, because e-invoices have HSN codes of 6 digits.');
  // 1 stands in files for version 1.0.0, and is still true.
  if (!['', '1'].includes(given('WORKERS')))
    faults.push(
      'WORKERS is no setting any more: one node is one process. Remove it. To use more cores, start more ' +
        'nodes: see "Several nodes on one machine" in docs/operations.md.',
    );
  if (faults.length === 0) return settings;
  throw new DomainError('wrong_settings', ['The settings are wrong:', ...faults].join('\n  - '));
}

/** The parts of `process` that are used here. Without `loadEnvFile` no file is read. */
interface ProcessEnvironment {
  readonly env: Record<string, string | undefined>;
  loadEnvFile?(path: string): void;
}

/** The settings of a process: its environment, then the file `.env` of its directory. */
export function loadSettings(process: ProcessEnvironment, report: (line: string) => void): Settings {
  const line = loadEnvFile(process);
  if (line !== undefined) report(line);
  return readSettings(process.env);
}

/** Returns the names of the settings that the file set. Values may be passwords, so they are left out. */
function loadEnvFile(process: ProcessEnvironment): string | undefined {
  if (!process.loadEnvFile || !existsSync(ENV_FILE)) return undefined;
  const path = resolve(ENV_FILE);
  const given = new Set(Object.keys(process.env));
  try {
    process.loadEnvFile(ENV_FILE);
  } catch (cause) {
    const message = `The file ${path} cannot be read: ${(cause as Error).message}`;
    throw new DomainError('wrong_settings', message, { cause });
  }
  const taken = Object.keys(process.env).filter((name) => !given.has(name));
  const settings = new Set(Object.values(SETTINGS_TABLE).map(({ name }) => name));
  const others = taken.filter((name) => !settings.has(name));
  return [
    `Read from ${path}: ${taken.join(', ') || 'nothing, because the environment sets all of it'}.`,
    ...(others.length > 0 ? [`No settings of this service: ${others.join(', ')}.`] : []),
  ].join(' ');
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
