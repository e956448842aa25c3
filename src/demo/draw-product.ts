import type { ProductView } from '../read-model/products/product-view.js';

/** One drawing for each category of the demo, on a field of 240 by 200. */
const SHAPES: Record<string, string> = {
  Apparel: '<path d="M88 40Q120 62 152 40L196 68 178 104 158 94V178H82V94L62 104 44 68Z"/>',
  Footwear:
    '<path d="M44 92Q66 104 84 74 104 112 168 122 198 128 198 154H44Z"/>' +
    '<path d="M40 154H202V166H40Z" fill-opacity=".6"/>',
  'Home & Kitchen':
    '<path d="M70 58H150V150Q150 170 130 170H90Q70 170 70 150Z"/>' +
    '<path d="M150 80Q190 80 190 112T150 144" fill="none" stroke-width="12"/>',
  'Electronics Accessories':
    '<rect x="84" y="32" width="72" height="144" rx="12"/>' +
    '<path d="M92 50H148V152H92Z" fill="#fff" fill-opacity=".75"/>' +
    '<circle cx="120" cy="164" r="5" fill="#fff"/>',
  'Beauty & Personal Care':
    '<path d="M104 34H136V62H104Z" fill-opacity=".6"/>' +
    '<path d="M96 66H144Q158 80 158 100V164Q158 174 148 174H92Q82 174 82 164V100Q82 80 96 66Z"/>',
  Stationery:
    '<rect x="72" y="36" width="100" height="140" rx="6"/>' +
    '<path d="M92 70H152M92 94H152M92 118H132" stroke="#fff" stroke-width="6"/>',
  'Toys & Games':
    '<rect x="52" y="112" width="62" height="62" rx="6"/>' +
    '<circle cx="160" cy="140" r="34" fill-opacity=".6"/>' +
    '<path d="M88 104L120 44 152 104Z"/>',
};

const OTHER = '<path d="M60 78L120 48 180 78V150L120 180 60 150Z"/>';

/** A small picture: the category's drawing in a colour of the product, with its name. */
export function drawProduct({ sku, name, category }: ProductView, number: number): string {
  const own = [...sku].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const hue = (own + number * 40) % 360;
  const colour = `hsl(${hue} 45% 42%)`;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" role="img">' +
    `<title>${escaped(name)}</title><rect width="240" height="240" fill="hsl(${hue} 40% 93%)"/>` +
    `<g fill="${colour}" stroke="${colour}" stroke-width="0">${SHAPES[category] ?? OTHER}</g>` +
    '<text x="120" y="216" text-anchor="middle" font-family="sans-serif" font-size="14" fill="#333">' +
    `${escaped(name.split(',', 1)[0]!)}</text></svg>`
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'));
}
