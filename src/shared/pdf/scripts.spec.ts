import { fromLeft, isPrintable } from './scripts.js';

/** The parts of a line from the left, between bars. */
const partsFromLeft = (line: string) => fromLeft(line).join('|');

describe('fromLeft', () => {
  it.each([
    ['Name: Zoë (12), हिन्दी', 'Name: Zoë (12), हिन्दी'],
    ['محمد علی', 'علی| |محمد'],
    ['محمد علی، سری نگر 190001', '190001| |نگر| |سری| |علی،| |محمد'],
    ['علی (پرانی دکان).', '.|(|دکان| |پرانی|)| |علی'],
    ['12/3 گلی 1,200.50', '1,200.50| |گلی| |12/3'],
    ['علی ', 'علی| '],
    ['۱۲۳ گلی', 'گلی| |۱۲۳'],
  ])('sets a line without other words whole: %s', (line, expected) => {
    expect(partsFromLeft(line)).toBe(expected);
  });

  it.each([
    ['Name: محمد علی, Srinagar 190001', 'Name|:| |علی| |محمد|,| |Srinagar| |190001'],
    ['Shop علی 12, Srinagar', 'Shop| |12| |علی|,| |Srinagar'],
    ['12 Gali علی, 5 ₹', '12| |Gali| |5| |,|علی| |₹'],
    ['علی Zoë محمد خان', 'علی| |Zoë| |خان| |محمد'],
    ['गली علی', 'गली| |علی'],
  ])('leaves other words of a line in place: %s', (line, expected) => {
    expect(partsFromLeft(line)).toBe(expected);
  });

  it('needs no second look at long lines', () => {
    expect(fromLeft('علی '.repeat(20_000))).toHaveLength(40_000);
    expect(fromLeft(`علی ${'('.repeat(40_000)} a`)).toHaveLength(40_004);
  });
});

it('isPrintable knows which letters the fonts lack', () => {
  const printable = ['Zoë Ünal', 'Ωμέγα', 'Жанна', '₹ 1,200 – 50 % × 2 − 1', ''];
  expect(
    [...printable, 'अनन्या', 'முருகன்', 'রাস্তা।', 'کٲشُر سنڌي محمد'].filter((text) => !isPrintable(text)),
  ).toEqual([]);
  expect(['සිංහල', '中文', '😀', 'שלום', 'up ↑', '★'].filter(isPrintable)).toEqual([]);
});
