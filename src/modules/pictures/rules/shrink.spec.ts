import { shrink } from './shrink.js';

const pixels = (width: number, ...data: number[][]) => ({
  data: Uint8ClampedArray.from(data.flat()),
  width,
  height: data.length / width,
});

const RED = [200, 0, 0, 255];
const BLUE = [0, 0, 100, 255];
const CLEAR = [90, 90, 90, 0];

describe('A smaller picture', () => {
  it('has the means of the colours', () =>
    expect(shrink(pixels(2, RED, BLUE, RED, BLUE), 1)).toEqual(pixels(1, [100, 0, 50, 255])));

  it('keeps its proportions, and each part its place', () => {
    const wide = shrink(pixels(4, RED, RED, BLUE, BLUE, RED, RED, BLUE, BLUE), 2);
    expect(wide).toEqual(pixels(2, RED, BLUE));
    const high = shrink(pixels(1, RED, RED, BLUE, BLUE), 2);
    expect(high).toEqual(pixels(1, RED, BLUE));
  });

  it('covers each pixel if the sizes have no common measure', () =>
    expect(shrink(pixels(3, RED, BLUE, BLUE), 2)).toEqual(pixels(2, RED, BLUE)));

  it('has at least one pixel a side', () =>
    expect(shrink(pixels(4, RED, RED, RED, RED), 1)).toMatchObject({ width: 1, height: 1 }));

  it('takes no colour from clear pixels', () => {
    expect(shrink(pixels(2, RED, CLEAR), 1)).toEqual(pixels(1, [200, 0, 0, 128]));
    expect(shrink(pixels(2, CLEAR, CLEAR), 1)).toEqual(pixels(1, [0, 0, 0, 0]));
  });

  it('is not larger', () => expect(shrink(pixels(1, RED), 9)).toEqual(pixels(1, RED)));
});
