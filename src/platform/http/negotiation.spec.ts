import { acceptedEncoding, matchesEtag } from './send-answer.js';

describe('acceptedEncoding', () => {
  it.each([
    'gzip',
    'GZIP',
    'deflate, gzip;q=0.5, br',
    'gzip;q=1.0, identity;q=1.0',
    'x-gzip',
    '*',
    'br;q=1, *;q=0.1',
    'gzip ; q=0.001',
  ])('chooses gzip for %j', (header) => {
    expect(acceptedEncoding(header)).toBe('gzip');
  });

  it.each([
    undefined,
    '',
    'identity',
    'br, deflate',
    'gzip;q=0',
    'gzip;q=0.000, *',
    '*;q=0',
    'gzip;q=0.5, identity',
    'gzip;q=nonsense',
  ])('chooses no compression for %j', (header) => {
    expect(acceptedEncoding(header)).toBe('identity');
  });
});

describe('matchesEtag', () => {
  it.each([
    ['the tag itself', '"abc"'],
    ['the tag marked weak', 'W/"abc"'],
    ['a list with the tag in it', '"x", W/"abc" , "y"'],
    ['a list without spaces', '"x","abc"'],
    ['anything', ' * '],
  ])('accepts %s', (_, header) => {
    expect(matchesEtag(header, '"abc"')).toBe(true);
  });

  it.each([
    ['another tag', '"abd"'],
    ['the tag of another encoding', '"abc-gz"'],
    ['the tag without quotes', 'abc'],
    ['nothing', ''],
    ['a tag with a star in it', '"*"'],
  ])('refuses %s', (_, header) => {
    expect(matchesEtag(header, '"abc"')).toBe(false);
  });
});
