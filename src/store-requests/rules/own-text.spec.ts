import { ownText } from './own-text.js';

describe('ownText', () => {
  it.each(['WEB-1001', 'बिक्री-5', '🛒'.repeat(64), ''])('keeps %j', (text) => {
    expect(ownText(text)).toBe(text);
  });

  it.each([undefined, null, 7, {}, ['a'], '🛒'.repeat(65), 'a\u0000b', `x wha_${'a'.repeat(40)}`])(
    'keeps nothing of %j',
    (value) => {
      expect(ownText(value)).toBeNull();
    },
  );
});
