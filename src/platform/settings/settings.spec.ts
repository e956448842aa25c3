import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, SETTINGS_TABLE } from './settings.js';

const messageOf = (environment: Record<string, string>) => {
  try {
    readSettings(environment);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('readSettings', () => {
  it('has a default for everything', () => {
    expect(readSettings({})).toMatchObject({
      port: 3000,
      dataDir: '.data',
      databaseUrl: undefined,
      currency: 'INR',
      timeZone: 'Asia/Kolkata',
      servedCountries: ['India'],
      contact: [],
      bankDetails: [],
      paymentWindowHours: 72,
      rateLimitPerMinute: 12_000,
      trustProxy: false,
      accessLog: 'default',
      metricsPort: undefined,
    });
  });

  it.each([{ PORT: '', DATABASE_URL: ' ', METRICS_PORT: '' }, { WORKERS: '1' }])(
    'takes an empty variable, and one worker, as missing: %j',
    (environment) => expect(readSettings(environment)).toEqual(readSettings({})),
  );

  it('reports all faults at once', () => {
    const given = { PORT: '70000', DATABASE_POOL_SIZE: 'ten', ACCESS_LOG: 'loud', CURRENCY: 'JPY' };
    const message = messageOf(given);
    expect(message).toContain('PORT must be a whole number from 0 to 65535, but is "70000".');
    expect(message).toContain('DATABASE_POOL_SIZE must be a whole number');
    expect(message).toContain('ACCESS_LOG must be one of all, default');
    expect(message).toContain('CURRENCY must be');
  });

  it.each([
    ['WORKERS', '2', '"Several nodes on one machine" in docs/operations.md'],
    ['WORKERS', 'auto', '"Several nodes on one machine" in docs/operations.md'],
    ['WORKERS', '0', '"Several nodes on one machine" in docs/operations.md'],
    ['CURRENCY', 'inr', 'in capitals'],
    ['SERVED_COUNTRIES', 'India,Indiaa', 'but has "Indiaa"'],
    ['TIME_ZONE', 'IST', 'TIME_ZONE must be a name such as Asia/Kolkata or UTC, but is "IST".'],
    ['TIME_ZONE', '+05:30', 'TIME_ZONE must be a name such as Asia/Kolkata or UTC, but is "+05:30".'],
    ['TIME_ZONE', 'Asia/Calcuta', 'TIME_ZONE must be a name such as'],
    ['NODE_ENV', 'prod', 'NODE_ENV must be one of production, development, test, but is "prod".'],
    ['NODE_ENV', 'Production', 'NODE_ENV must be one of production, development, test'],
    ['CONTACT', 'call us', 'CONTACT must be up to 12 parts like "Phone: '],
    ['BANK_TRANSFER_DETAILS', 'HDFC0001234', 'BANK_TRANSFER_DETAILS must be'],
    ['BANK_TRANSFER_DETAILS', ': HDFC0001234', 'BANK_TRANSFER_DETAILS must be'],
    ['BANK_TRANSFER_DETAILS', 'IFSC:', 'BANK_TRANSFER_DETAILS must be'],
    ['BANK_TRANSFER_DETAILS', 'a: b;'.repeat(13), 'BANK_TRANSFER_DETAILS must be'],
    ['DATABASE_URL', 'postgres://db', 'DATABASE_URL must look like'],
    ['DATABASE_URL', 'postgres://user:secret@db:5432/', 'DATABASE_URL must look like'],
    ['DATABASE_URL', 'postgres://?host=/tmp', 'DATABASE_URL must look like'],
    ['TRUST_PROXY', 'true', 'TRUST_PROXY must be'],
    ['TRUST_PROXY', '0.0.0.0/0', 'TRUST_PROXY must be'],
    ['TRUST_PROXY', '10', 'TRUST_PROXY must be'],
    ['TRUST_PROXY', '300.1.1.1', 'TRUST_PROXY must be'],
    ['TRUST_PROXY', '10.0.0.0/33', 'TRUST_PROXY must be'],
  ])('refuses %s=%s: %s', (name, text, message) => {
    expect(messageOf({ [name]: text })).toContain(message);
  });

  const PARTS = [
    { label: 'Account', value: 'Sharma: Wholesale' },
    { label: 'IFSC', value: 'HDFC0001234' },
  ];

  it.each<[string, string, string, unknown]>([
    ['TIME_ZONE', 'Europe/Berlin', 'timeZone', 'Europe/Berlin'],
    ['SERVED_COUNTRIES', 'in, nepal,UK', 'servedCountries', ['India', 'Nepal', 'United Kingdom']],
    ['CONTACT', 'Hours: 10:00 to 18:00', 'contact', [{ label: 'Hours', value: '10:00 to 18:00' }]],
    ['BANK_TRANSFER_DETAILS', ' Account: Sharma: Wholesale ;IFSC:HDFC0001234;', 'bankDetails', PARTS],
    ['BANK_TRANSFER_DETAILS', 'Account: Sharma: Wholesale\nIFSC: HDFC0001234', 'bankDetails', PARTS],
    ['DATABASE_URL', 'postgres:///wholesale?host=/run', 'databaseUrl', 'postgres:///wholesale?host=/run'],
    ['TRUST_PROXY', '1', 'trustProxy', 1],
    ['TRUST_PROXY', '10.0.0.0/8, 192.168.1.1', 'trustProxy', ['10.0.0.0/8', '192.168.1.1']],
    ['TRUST_PROXY', '0', 'trustProxy', false],
    ['PUBLIC_URL', 'https://Shop.example.com:443/', 'publicUrl', 'https://shop.example.com'],
    ['PUBLIC_URL', 'http://localhost:3000', 'publicUrl', 'http://localhost:3000'],
  ])('reads %s=%s as %s', (name, text, setting, value) => {
    expect(readSettings({ [name]: text })).toHaveProperty(setting, value);
  });

  it('never repeats a DATABASE_URL, because it may contain a password', () => {
    expect(messageOf({ DATABASE_URL: 'mysql://user:secret@host/db' })).not.toContain('secret');
  });

  it.each(['/', '?', '#'])('says how to write a password with %s in DATABASE_URL', (sign) => {
    const url = (password: string) => `postgres://user:${password}@db:5432/wholesale`;
    const encoded = encodeURIComponent(sign);
    expect(messageOf({ DATABASE_URL: url(`a${sign}b`) })).toContain(`${encoded} for ${sign}`);
    expect(readSettings({ DATABASE_URL: url(`a${encoded}b`) }).databaseUrl).toBe(url(`a${encoded}b`));
  });

  const KEYS = {
    RAZORPAY_KEY_ID: 'rzp_live_1',
    RAZORPAY_KEY_SECRET: 'the-key-secret',
    RAZORPAY_WEBHOOK_SECRET: 'the-webhook-secret',
  };

  const PUBLIC = { PUBLIC_URL: 'https://shop.example.com' };
  const PRODUCTION = { NODE_ENV: 'production' };

  it.each<[string, string, Record<string, string>]>([
    ['sandbox', 'with the embedded database', {}],
    ['none', 'with an external database', { DATABASE_URL: 'postgres://db/wholesale' }],
    ['none', 'in production', PRODUCTION],
    ['sandbox', 'in production, if configured', { ...PRODUCTION, PAYMENT_GATEWAY: 'sandbox' }],
    ['sandbox', 'with a local PUBLIC_URL', { PUBLIC_URL: 'http://127.0.0.1:8080' }],
    ['sandbox', 'when it listens on all addresses', { HOST: '0.0.0.0' }],
    ['none', 'with a public PUBLIC_URL', PUBLIC],
    ['none', 'with a host that begins like localhost', { PUBLIC_URL: 'http://localhost.x.org' }],
    ['none', 'behind a proxy', { TRUST_PROXY: '127.0.0.1' }],
    ['sandbox', 'with TRUST_PROXY=0', { TRUST_PROXY: '0' }],
    ['sandbox', 'in public, if configured', { ...PUBLIC, TRUST_PROXY: '1', PAYMENT_GATEWAY: 'sandbox' }],
    ['razorpay', 'when there are keys', { ...PRODUCTION, ...KEYS }],
    ['none', 'when none is configured, in spite of keys', { PAYMENT_GATEWAY: 'none', ...KEYS }],
  ])('chooses the gateway %s %s', (name, _, environment) => {
    expect(readSettings(environment).paymentGateway.name).toBe(name);
  });

  it('requires all keys of Razorpay, names the missing ones and repeats none', () => {
    const { RAZORPAY_KEY_SECRET: _, ...others } = KEYS;
    const message = messageOf(others);
    expect(message).toContain('also needs RAZORPAY_KEY_SECRET.');
    expect(message).not.toMatch(/rzp_live_1|the-webhook-secret/);
    expect(messageOf({ PAYMENT_GATEWAY: 'razorpay' })).toContain(
      'RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET',
    );
  });

  it.each([
    'shop.example.com',
    'ftp://example.com',
    'https://example.com/shop',
    'https://example.com?a',
    'https://me:secret@example.com',
  ])('refuses PUBLIC_URL=%s', (given) => {
    const message = messageOf({ PUBLIC_URL: given });
    expect(message).toContain('PUBLIC_URL must look like');
    expect(message).not.toContain(given);
  });

  const SENDER = { MAIL_FROM: 'Sharma Wholesale <orders@wholesale.example.com>', ...PUBLIC };

  it.each([
    ['smtp://smtp.example.com', { host: 'smtp.example.com', port: 587, security: 'starttls' }],
    ['smtps://smtp.example.com/', { host: 'smtp.example.com', port: 465, security: 'smtps' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, security: 'none' }],
    ['smtp://[::1]:1025', { host: '::1', port: 1025, security: 'none' }],
    ['smtp://relay:25?starttls=no', { host: 'relay', port: 25, security: 'none' }],
    [
      'smtp://me%40example.com:pass%3Aword@smtp.example.com:2525',
      { port: 2525, security: 'starttls', login: { user: 'me@example.com', password: 'pass:word' } },
    ],
  ])('accepts SMTP_URL=%s', (given, expected) => {
    expect(readSettings({ SMTP_URL: given, ...SENDER }).mail).toMatchObject(expected);
  });

  it.each([
    'smtp.example.com',
    'http://smtp.example.com',
    'smtp://',
    'smtp://:secret@smtp.example.com',
    'smtp://me:secret%E0%A4%A@smtp.example.com',
    'smtp://smtp.example.com/secret',
    'smtp://me:secret@smtp.example.com?tls.rejectUnauthorized=false',
    'smtps://smtp.example.com?starttls=no',
  ])('refuses SMTP_URL=%s and does not repeat it', (given) => {
    const message = messageOf({ SMTP_URL: given, ...SENDER });
    expect(message).toContain('SMTP_URL must look like');
    expect(message).not.toContain('secret');
  });

  it.each([
    ['orders@example.com', { name: '', address: 'orders@example.com' }],
    [SENDER.MAIL_FROM, { name: 'Sharma Wholesale', address: 'orders@wholesale.example.com' }],
    ['"Sharma, Wholesale" <a@b.example>', { name: 'Sharma, Wholesale', address: 'a@b.example' }],
  ])('accepts MAIL_FROM=%s', (given, from) => {
    const { mail } = readSettings({ SMTP_URL: 'smtp://localhost', MAIL_FROM: given, ...PUBLIC });
    expect(mail).toMatchObject({ from });
  });

  const TWO = ['a@b.example, c@d.example', 'Sharma <a@b.example> <c@d.example>'];

  it.each(['', 'orders', ...TWO, 'A\nBcc: <a@b.example>'])('refuses MAIL_FROM=%j', (given) => {
    const message = messageOf({ SMTP_URL: 'smtp://localhost', MAIL_FROM: given, ...PUBLIC });
    expect(message).toContain('also needs MAIL_FROM');
  });

  it('requires PUBLIC_URL for mail, because mail contains links', () => {
    expect(messageOf({ ...SENDER, SMTP_URL: 'smtp://localhost', PUBLIC_URL: '' })).toContain(
      'SMTP_URL also needs PUBLIC_URL',
    );
  });

  it('has every setting with its default and meaning in .env.example', () => {
    const example = readFileSync(join(process.cwd(), '.env.example'), 'utf8');
    const comment: string[] = [];
    const listed = example.split('\n').flatMap((line) => {
      if (line === '') comment.length = 0;
      if (line.startsWith('# ')) comment.push(line.slice(2));
      const [name, fallback] = line.split('=');
      if (fallback === undefined || line.startsWith('#')) return [];
      return { name, fallback, meaning: comment.splice(0).join(' ') };
    });
    expect(listed).toEqual(
      Object.values(SETTINGS_TABLE).map(({ name, fallback, meaning }) => ({ name, fallback, meaning })),
    );
  });
});
