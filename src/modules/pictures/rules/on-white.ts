import type { Pixels } from './shrink.js';

/** Of a logo: two inches in print. */
export const MAX_LOGO_SIDE = 600;

/** The picture as it looks on white paper: without transparency. */
export function onWhite({ data, width, height }: Pixels): Pixels {
  const pixels = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const opacity = data[at + 3]! / 255;
    for (let colour = at; colour < at + 3; colour++)
      pixels[colour] = data[colour]! * opacity + 255 * (1 - opacity);
    pixels[at + 3] = 255;
  }
  return { data: pixels, width, height };
}
