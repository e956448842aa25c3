import { onWhite } from './on-white.js';

describe('A picture on white', () => {
  it.each([
    ['an opaque pixel', [10, 20, 30, 255], [10, 20, 30, 255]],
    ['a transparent pixel', [10, 20, 30, 0], [255, 255, 255, 255]],
    ['a half transparent pixel', [0, 100, 200, 51], [204, 224, 244, 255]],
  ])('has %s in the colour of print', (_, pixel, expected) => {
    const data = new Uint8ClampedArray([...pixel, 1, 2, 3, 255]);
    const { data: drawn, ...size } = onWhite({ data, width: 2, height: 1 });
    expect([[...drawn], size]).toEqual([[...expected, 1, 2, 3, 255], { width: 2, height: 1 }]);
  });
});
