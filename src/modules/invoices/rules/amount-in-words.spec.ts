import { amountInWords } from './amount-in-words.js';

describe('An amount in words', () => {
  it.each([
    [0, 'Zero'],
    [100, 'One'],
    [1_900, 'Nineteen'],
    [2_000, 'Twenty'],
    [9_900, 'Ninety Nine'],
    [10_000, 'One Hundred'],
    [99_900, 'Nine Hundred Ninety Nine'],
    [100_000, 'One Thousand'],
    [1_234_500, 'Twelve Thousand Three Hundred Forty Five'],
    [9_999_900, 'Ninety Nine Thousand Nine Hundred Ninety Nine'],
    [10_000_000, 'One Lakh'],
    [1_000_000_000, 'One Crore'],
    [12_34_56_789_00, 'Twelve Crore Thirty Four Lakh Fifty Six Thousand Seven Hundred Eighty Nine'],
    [10 ** 15, 'Ten Lakh Crore'],
  ])('of %d counts in lakhs and crores', (amount, words) => {
    expect(amountInWords(amount)).toBe(`Rupees ${words} Only`);
  });

  it('names the paise', () => {
    expect(amountInWords(10_200_005)).toBe('Rupees One Lakh Two Thousand and Paise Five Only');
    expect(amountInWords(99)).toBe('Rupees Zero and Paise Ninety Nine Only');
  });

  it('knows each word', () => {
    const teens = Array.from({ length: 20 }, (_, number) => amountInWords(number * 100).split(' ')[1]);
    expect(teens.join(' ')).toBe(
      'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen ' +
        'Sixteen Seventeen Eighteen Nineteen',
    );
    const tens = Array.from({ length: 8 }, (_, ten) => amountInWords((ten + 2) * 1_000).split(' ')[1]);
    expect(tens.join(' ')).toBe('Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety');
  });
});
