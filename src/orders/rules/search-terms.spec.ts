import { anywhere, searchTerms } from './search-terms.js';

describe('what is looked for among orders', () => {
  it('is each word of what was typed', () => {
    expect(searchTerms('  ravi   kumar ')).toEqual([['ravi'], ['kumar']]);
    expect(searchTerms('WEB-1001')).toEqual([['WEB-1001']]);
    expect(searchTerms('9845012345 ravi')).toEqual([['9845012345'], ['ravi']]);
  });

  it('is a phone number however it is spaced, with the prefix of the country or without', () => {
    for (const typed of ['+91 98450 12345', '098450-12345', '(984) 501.2345'])
      expect(searchTerms(typed)).toContainEqual(expect.arrayContaining(['9845012345']));
    expect(searchTerms('9845012345')).toEqual([['9845012345']]);
  });

  it('may be a number that only looks like a phone number', () => {
    expect(searchTerms('2024-1001')).toEqual([['2024-1001', '20241001']]);
    expect(searchTerms('98450  12345')).toEqual([['98450 12345', '9845012345']]);
  });

  it('is nothing where all of it is too short for the index', () => {
    for (const typed of ['', ' ', 'a', 'ab cd', '42', '1-2', '%', '.', '+'])
      expect(searchTerms(typed)).toEqual([]);
    expect(searchTerms('j kumar')).toEqual([['j'], ['kumar']]);
    expect(searchTerms('abc')).toEqual([['abc']]);
  });

  it('stays little however much was typed', () => {
    expect(searchTerms('word '.repeat(1_000))).toHaveLength(8);
  });

  it('means nothing to LIKE but itself', () => {
    expect(anywhere('50%_off\\')).toBe('%50\\%\\_off\\\\%');
  });
});
