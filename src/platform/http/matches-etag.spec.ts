import { matchesEtag } from './matches-etag.js';

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
