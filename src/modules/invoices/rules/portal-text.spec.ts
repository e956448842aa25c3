import { toPortalText } from './portal-text.js';

describe('A text of the tax portal', () => {
  it.each([
    ['Asha Traders', 'Asha Traders'],
    ['  a   b ', 'a b'],
    ['Café Zoë, Ñandú', 'Cafe Zoe, Nandu'],
    ['Ṣāntī Ḍāl', 'Santi Dal'],
    ['Việt', 'Viet'],
    ['Straße æ Æ œ Œ ø Ø ł Ł đ Đ ı', 'Strasse ae AE oe OE o O l L d D i'],
    ['“A” ‘B’ «C» „D‚ "E"', "'A' 'B' 'C' 'D' 'E'"],
    ['1–2 3—4 5‐6 7−8', '1-2 3-4 5-6 7-8'],
    ['₹5 2×3 ½ a\\b', 'Rs.5 2x3 1/2 a/b'],
    ['Mug… ﬁne ＡＢ1²', 'Mug... fine AB12'],
    ['Mug ☕ 😀 new', 'Mug new'],
    ['a\u00A0b\tc', 'a b c'],
    ['~!', '~!'],
    ['आशा', undefined],
    ['Asha आशा', undefined],
    ['आशा Asha', undefined],
    ['१२', undefined],
    ['Юг', undefined],
    ['Ω', undefined],
    ['आ\u0301', undefined],
    ['😀', undefined],
    ['', undefined],
    [' ', undefined],
  ])('%s is %s', (text, portal) => expect(toPortalText(text)).toBe(portal));
});
