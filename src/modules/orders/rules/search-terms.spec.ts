import { likePattern, searchTerms } from './search-terms.js';

describe('The search terms of orders', () => {
  it('are the typed words', () => {
    expect(searchTerms('  ravi   kumar ')).toEqual([['ravi'], ['kumar']]);
    expect(searchTerms('WEB-1001')).toEqual([['WEB-1001']]);
    expect(searchTerms('9845012345 ravi')).toEqual([['9845012345'], ['ravi']]);
  });

  it('contain a phone number without its spaces and country code', () => {
    for (const typed of ['+91 98450 12345', '098450-12345', '(984) 501.2345'])
      expect(searchTerms(typed)).toContainEqual(expect.arrayContaining(['9845012345']));
    expect(searchTerms('9845012345')).toEqual([['9845012345']]);
  });

  it('contain a number in both readings when it may be a phone number', () => {
    expect(searchTerms('2024-1001')).toEqual([['2024-1001', '20241001']]);
    expect(searchTerms('98450  12345')).toEqual([['98450 12345', '9845012345']]);
  });

  it('are empty when all words are too short for the index', () => {
    for (const typed of ['', ' ', 'a', 'ab cd', '42', '1-2', '%', '.', '+'])
      expect(searchTerms(typed)).toEqual([]);
    expect(searchTerms('j kumar')).toEqual([['j'], ['kumar']]);
    expect(searchTerms('abc')).toEqual([['abc']]);
  });

  it('are limited to eight', () => {
    expect(searchTerms('word '.repeat(1_000))).toHaveLength(8);
  });

  it('escape the wildcards of LIKE', () => {
    expect(likePattern('50%_off\\')).toBe('%50\\%\\_off\\\\%');
  });
});
