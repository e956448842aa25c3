import type { Minor } from '../../../platform/money/money.js';

const TO_19 = (
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen ' +
  'Sixteen Seventeen Eighteen Nineteen'
).split(' ');
const TENS = 'Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ');

const GROUPS = [
  [10_000_000, 'Crore'],
  [100_000, 'Lakh'],
  [1_000, 'Thousand'],
  [100, 'Hundred'],
] as const;

/** In the Indian system: "Rupees One Lakh Two Thousand and Paise Five Only". */
export function amountInWords(amount: Minor): string {
  const [rupees, paise] = [Math.floor(amount / 100), amount % 100];
  return `Rupees ${words(rupees)}${paise === 0 ? '' : ` and Paise ${words(paise)}`} Only`;
}

function words(number: number): string {
  const group = GROUPS.find(([size]) => number >= size);
  if (group) {
    const [size, name] = group;
    return withRest(`${words(Math.floor(number / size))} ${name}`, number % size);
  }
  return TO_19[number] ?? withRest(TENS[Math.floor(number / 10) - 2]!, number % 10);
}

function withRest(first: string, rest: number): string {
  return rest === 0 ? first : `${first} ${words(rest)}`;
}
