import { normaliseDomain, readDomain } from './domain.js';

describe('normaliseDomain', () => {
  it.each([
    'shop.example.in',
    'SHOP.Example.IN',
    'https://shop.example.in',
    'http://shop.example.in',
    'HTTPS://WWW.Shop.Example.in',
    'www.shop.example.in',
    '  shop.example.in\t',
    'shop.example.in/',
    'https://www.shop.example.in/',
  ])('takes %j for the same domain', (text) => {
    expect(normaliseDomain(text)).toBe('shop.example.in');
  });

  it.each([
    ['a subdomain', 'm.shop.example.in', 'm.shop.example.in'],
    ['a port', 'shop.example.in:443', 'shop.example.in:443'],
    ['a path', 'shop.example.in/in', 'shop.example.in/in'],
    ['a second slash', 'shop.example.in//', 'shop.example.in/'],
    ['another scheme', 'ftp://shop.example.in', 'ftp://shop.example.in'],
    ['a trailing dot', 'shop.example.in.', 'shop.example.in.'],
    ['www without a dot', 'wwwshop.example.in', 'wwwshop.example.in'],
    ['www further in', 'shop.www.example.in', 'shop.www.example.in'],
  ])('keeps %s', (_, text, expected) => {
    expect(normaliseDomain(text)).toBe(expected);
  });

  it.each(['', '   ', '/', 'https://', 'http://www.', 'www./'])('finds no domain in %j', (text) => {
    expect(normaliseDomain(text)).toBeNull();
  });
});

describe('readDomain', () => {
  it.each([
    ['https://www.Shop.example.in/', 'shop.example.in'],
    [' https://www.Shop.example.in/in/shoes?size=8#top', 'shop.example.in'],
    ['http://localhost:3000?a=b', 'localhost:3000'],
    ['localhost:3000', 'localhost:3000'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('registers %j as %j', (text, expected) => {
    expect(readDomain(text)).toBe(expected);
  });

  it.each([
    ['nothing', ' '],
    ['a path', 'shop.example.in/in'],
    ['a space', 'shop example.in'],
    ['an empty label', 'shop..example.in'],
    ['a label that ends with a hyphen', 'shop-.example.in'],
    ['a label that is too long', `${'a'.repeat(64)}.example`],
    ['more than a domain may have', `${'a.'.repeat(126)}in`],
    ['letters that a header cannot carry', 'bücher.example'],
  ])('refuses %s', (_, text) => {
    expect(() => readDomain(text)).toThrow('The domain must look like store.example.com');
  });
});
