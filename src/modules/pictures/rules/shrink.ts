/** RGBA, row by row. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Scales a picture down until both sides fit. Each new pixel is the mean of the pixels that it covers. */
export function shrink({ data, width, height }: Pixels, maxSide: number): Pixels {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const small = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const pixels = new Uint8ClampedArray(small.width * small.height * 4);
  for (let y = 0; y < small.height; y++) {
    const rows = covered(y, height / small.height);
    for (let x = 0; x < small.width; x++) {
      const columns = covered(x, width / small.width);
      // A transparent pixel adds no colour.
      let [red, green, blue, opacity, count] = [0, 0, 0, 0, 0];
      for (let row = rows.from; row < rows.to; row++)
        for (let at = (row * width + columns.from) * 4; at < (row * width + columns.to) * 4; at += 4) {
          const alpha = data[at + 3]!;
          red += data[at]! * alpha;
          green += data[at + 1]! * alpha;
          blue += data[at + 2]! * alpha;
          opacity += alpha;
          count++;
        }
      const shade = opacity || 1;
      pixels.set([red / shade, green / shade, blue / shade, opacity / count], (y * small.width + x) * 4);
    }
  }
  return { data: pixels, ...small };
}

function covered(index: number, step: number) {
  const from = Math.floor(index * step);
  return { from, to: Math.max(from + 1, Math.floor((index + 1) * step)) };
}
