/** The polynomial of CRC-32 with its bits reversed, as gzip uses it (RFC 1952, 8). */
const POLYNOMIAL = 0xedb88320;

/** x to the power of 2^n modulo the polynomial. */
const POWERS = powersOfTwo();

/**
 * The checksum of two pieces in a row from the checksums of each, without reading either again. Appending n bytes multiplies
 * the checksum so far by x^8n; see zlib's crc32_combine, whose method this is.
 */
export function crc32Combine(first: number, second: number, secondShift: number): number {
  return (multiply(secondShift, first) ^ second) >>> 0;
}

/** By what the checksum so far is multiplied when so many bytes are appended. */
export function shiftOf(count: number): number {
  let power = 0x8000_0000;
  for (let rest = count, exponent = 3; rest > 0; rest = Math.floor(rest / 2), exponent++) {
    if (rest % 2 === 1) power = multiply(POWERS[exponent % 32]!, power);
  }
  return power;
}

/** The product of two polynomials modulo the one of CRC-32; the highest bit is the lowest power. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 0x8000_0000; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

function powersOfTwo(): number[] {
  const powers = [0x4000_0000];
  while (powers.length < 32) powers.push(multiply(powers.at(-1)!, powers.at(-1)!));
  return powers;
}
