import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './read-settings.js';

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
      paymentWindowHours: 72,
      rateLimitPerMinute: 12_000,
      trustProxy: false,
      accessLog: 'default',
      metricsPort: undefined,
    });
  });

  it('treats an empty variable as missing', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: ' ', METRICS_PORT: '' })).toEqual(readSettings({}));
  });

  it('reports all faults at once', () => {
    const message = messageOf({
      PORT: '70000',
      DATABASE_POOL_SIZE: 'ten',
      ACCESS_LOG: 'loud',
      CURRENCY: 'JPY',
    });
    expect(message).toContain('PORT must be a whole number from 0 to 65535, but is "70000".');
    expect(message).toContain('DATABASE_POOL_SIZE must be a whole number');
    expect(message).toContain('ACCESS_LOG must be one of all, default');
    expect(message).toContain('CURRENCY must be');
  });

  it('reads the number of workers, or takes the number of cores', () => {
    expect(readSettings({}).workers).toBe(1);
    expect(readSettings({ WORKERS: '3' }).workers).toBe(3);
    expect(readSettings({ WORKERS: 'auto' }).workers).toBe(Math.min(availableParallelism(), 64));
    for (const given of ['0', 'abc', '-1', '1.5', '65', 'AUTO'])
      expect(messageOf({ WORKERS: given })).toContain(
        `WORKERS must be a whole number from 1 to 64, or auto, but is "${given}".`,
      );
  });

  it('takes the time zone of India, or another one by its name', () => {
    expect(readSettings({}).timeZone).toBe('Asia/Kolkata');
    expect(readSettings({ TIME_ZONE: 'Europe/Berlin' }).timeZone).toBe('Europe/Berlin');
    expect(readSettings({}).servedCountries).toEqual(['India']);
    expect(readSettings({ SERVED_COUNTRIES: 'in, nepal,UK' }).servedCountries).toEqual([
      'India',
      'Nepal',
      'United Kingdom',
    ]);
    expect(() => readSettings({ SERVED_COUNTRIES: 'India,Indiaa' })).toThrow('but has "Indiaa"');
    for (const given of ['IST', '+05:30', 'Asia/Calcuta'])
      expect(messageOf({ TIME_ZONE: given })).toContain(
        `TIME_ZONE must be a name such as Asia/Kolkata or UTC, but is "${given}".`,
      );
  });

  it('explains that a currency is in capitals', () => {
    expect(messageOf({ CURRENCY: 'inr' })).toContain('in capitals');
  });

  it('reads bank details in one line or several', () => {
    const details = [
      { label: 'Account', value: 'Sharma: Wholesale' },
      { label: 'IFSC', value: 'HDFC0001234' },
    ];
    for (const given of [
      ' Account: Sharma: Wholesale ;IFSC:HDFC0001234;',
      'Account: Sharma: Wholesale\nIFSC: HDFC0001234',
    ])
      expect(readSettings({ BANK_TRANSFER_DETAILS: given }).bankDetails).toEqual(details);
    for (const given of ['HDFC0001234', ': HDFC0001234', 'IFSC:', 'a: b;'.repeat(13)])
      expect(messageOf({ BANK_TRANSFER_DETAILS: given })).toContain('BANK_TRANSFER_DETAILS must be');
  });

  it('reads the contact, and leaves both to the desk', () => {
    expect(readSettings({})).toMatchObject({ contact: [], bankDetails: [] });
    expect(readSettings({ CONTACT: 'Phone: +91 1; Hours: 10:00 to 18:00' }).contact).toEqual([
      { label: 'Phone', value: '+91 1' },
      { label: 'Hours', value: '10:00 to 18:00' },
    ]);
    expect(messageOf({ CONTACT: 'call us' })).toContain('CONTACT must be up to 12 parts like "Phone: ');
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

  it.each(['postgres://db', 'postgres://user:secret@db:5432/', 'postgres://?host=/tmp'])(
    'refuses DATABASE_URL=%s, which names no database',
    (given) => {
      expect(messageOf({ DATABASE_URL: given })).toContain('DATABASE_URL must look like');
    },
  );

  it('accepts a database at a socket', () => {
    const url = 'postgres:///wholesale?host=/run/postgresql';
    expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each(['prod', 'Production', 'staging'])('refuses NODE_ENV=%s, which would be a trial', (given) => {
    expect(messageOf({ NODE_ENV: given })).toContain(
      `NODE_ENV must be one of production, development, test, but is "${given}".`,
    );
  });

  it.each(['true', 'all', '0.0.0.0/0', '10', '300.1.1.1', '10.0.0.0/33'])(
    'refuses TRUST_PROXY=%s',
    (given) => {
      expect(messageOf({ TRUST_PROXY: given })).toContain('TRUST_PROXY must be');
    },
  );

  it.each([
    ['1', 1],
    ['10.0.0.0/8, 192.168.1.1', ['10.0.0.0/8', '192.168.1.1']],
    ['0', false],
  ])('accepts TRUST_PROXY=%s', (given, expected) => {
    expect(readSettings({ TRUST_PROXY: given }).trustProxy).toEqual(expected);
  });

  const KEYS = {
    RAZORPAY_KEY_ID: 'rzp_live_1',
    RAZORPAY_KEY_SECRET: 'the-key-secret',
    RAZORPAY_WEBHOOK_SECRET: 'the-webhook-secret',
  };

  it.each<[string, Record<string, string>, string]>([
    ['the sandbox with the embedded database', {}, 'sandbox'],
    ['none with an external database', { DATABASE_URL: 'postgres://db/wholesale' }, 'none'],
    ['none in production', { NODE_ENV: 'production' }, 'none'],
    [
      'the sandbox in production when it is configured',
      { NODE_ENV: 'production', PAYMENT_GATEWAY: 'sandbox' },
      'sandbox',
    ],
    ['the sandbox with a local PUBLIC_URL', { PUBLIC_URL: 'http://127.0.0.1:8080' }, 'sandbox'],
    ['the sandbox when it listens on all addresses', { HOST: '0.0.0.0' }, 'sandbox'],
    ['none with a public PUBLIC_URL', { PUBLIC_URL: 'https://shop.example.com' }, 'none'],
    ['none with a host that begins like localhost', { PUBLIC_URL: 'http://localhost.x.org' }, 'none'],
    ['none behind a proxy', { TRUST_PROXY: '127.0.0.1' }, 'none'],
    ['the sandbox with TRUST_PROXY=0', { TRUST_PROXY: '0' }, 'sandbox'],
    [
      'the sandbox with a public PUBLIC_URL when it is configured',
      { PUBLIC_URL: 'https://shop.example.com', TRUST_PROXY: '127.0.0.1', PAYMENT_GATEWAY: 'sandbox' },
      'sandbox',
    ],
    ['Razorpay when there are keys', { NODE_ENV: 'production', ...KEYS }, 'razorpay'],
    ['none when none is configured, in spite of keys', { PAYMENT_GATEWAY: 'none', ...KEYS }, 'none'],
  ])('chooses as gateway %s', (_, environment, name) => {
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
    ['https://Wholesale.example.com:443/', 'https://wholesale.example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('accepts PUBLIC_URL=%s', (given, expected) => {
    expect(readSettings({ PUBLIC_URL: given }).publicUrl).toBe(expected);
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

  const PUBLIC = { PUBLIC_URL: 'https://wholesale.example.com' };
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

  it.each([
    '',
    'orders',
    'a@b.example, c@d.example',
    'Sharma <a@b.example> <c@d.example>',
    'A\nBcc: <a@b.example>',
  ])('refuses MAIL_FROM=%s', (given) => {
    expect(messageOf({ SMTP_URL: 'smtp://localhost', MAIL_FROM: given, ...PUBLIC })).toContain(
      'also needs MAIL_FROM',
    );
  });

  it('requires PUBLIC_URL for mail, because mail contains links', () => {
    expect(messageOf({ ...SENDER, SMTP_URL: 'smtp://localhost', PUBLIC_URL: '' })).toContain(
      'SMTP_URL also needs PUBLIC_URL',
    );
  });

  it('has every setting with its default in .env.example', () => {
    const example = readFileSync(join(process.cwd(), '.env.example'), 'utf8');
    const given = Object.fromEntries(
      [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
    );
    expect(readSettings(given)).toEqual(readSettings({}));
    const requestedNames = new Set<string>();
    readSettings(new Proxy({}, { get: (_, name: string) => void requestedNames.add(name) }));
    expect(Object.keys(given).toSorted()).toEqual([...requestedNames].toSorted());
  });
});
