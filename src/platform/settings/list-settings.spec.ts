import { listSettings } from './list-settings.js';

describe('listSettings', () => {
  const settings = (environment: Record<string, string>, file = '') =>
    Object.fromEntries(listSettings(environment, file).map((each) => [each.name, each]));

  it('has each setting with its meaning, its value and where it comes from', () => {
    const listed = settings({ PORT: '3001', HSN_DIGITS: '6', TAX: ' ' }, 'PORT=3001\nHSN_DIGITS=4\n');
    expect(listed.PORT).toEqual({
      name: 'PORT',
      meaning: 'Port of the service.',
      value: '3001',
      isSecret: false,
      isDefault: false,
      isFromFile: true,
    });
    expect(listed.HOST).toMatchObject({ value: '0.0.0.0', isDefault: true });
    expect(listed.HSN_DIGITS).toMatchObject({ value: '6', isFromFile: false });
    expect(listed.TAX).toMatchObject({ value: 'gst', isDefault: true, isFromFile: false });
    expect(listed.BANK_TRANSFER_DETAILS!.meaning).toMatch(/^Bank account .*\. Empty: admins set it/);
    expect(Object.keys(listed).length).toBeGreaterThan(40);
    const meanings = Object.values(listed).map(({ meaning }) => meaning);
    expect(meanings).not.toContain('');
    expect(new Set(meanings).size).toBe(meanings.length);
    expect(meanings.join()).not.toContain('`');
  });

  it('never has a secret', () => {
    const names = Object.keys(settings({}));
    const secret = 'p4ssw0rd';
    const listed = settings(Object.fromEntries(names.map((name) => [name, secret])), `SMTP_URL=${secret}\n`);
    const hidden = Object.values(listed).filter(({ value }) => value !== secret);
    expect(hidden.map(({ name }) => name)).toEqual([
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'RAZORPAY_KEY_ID',
      'RAZORPAY_KEY_SECRET',
      'RAZORPAY_WEBHOOK_SECRET',
      'SMTP_URL',
    ]);
    for (const { value, isSecret, isDefault } of hidden)
      expect([value, isSecret, isDefault]).toEqual(['', true, false]);
  });
});
