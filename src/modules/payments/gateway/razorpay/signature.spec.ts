import fc from 'fast-check';
import { isSigned, sign } from './signature.js';

const secret = fc.string({ minLength: 1 });
const content = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

describe('A signature', () => {
  it('equals the signature of Razorpay', () => {
    // Computed with `printf 'order_1|pay_1' | openssl dgst -sha256 -hmac secret`.
    expect(sign('order_1|pay_1', 'secret')).toBe(
      '52115a0d3400de9e86aade1f1b6eba9e8974604f4e267a9e9a16633a4c8dd2cb',
    );
  });

  it('is valid for the signed content', () => {
    fc.assert(
      fc.property(content, secret, (bytes, key) => expect(isSigned(bytes, sign(bytes, key), key)).toBe(true)),
    );
  });

  it('is invalid with one wrong bit', () => {
    fc.assert(
      fc.property(content, secret, fc.nat(64 * 8 - 1), (bytes, key, bit) => {
        const wrong = withBitFlipped(Buffer.from(sign(bytes, key)), bit).toString('latin1');
        expect(isSigned(bytes, wrong, key)).toBe(false);
      }),
    );
  });

  it('is invalid for content with one wrong bit, and with another secret', () => {
    fc.assert(
      fc.property(content, secret, fc.nat(), (bytes, key, bit) => {
        const signature = sign(bytes, key);
        expect(isSigned(bytes, signature, `${key}.`)).toBe(false);
        if (bytes.length > 0)
          expect(isSigned(withBitFlipped(bytes, bit % (bytes.length * 8)), signature, key)).toBe(false);
      }),
    );
  });

  it.each<[string, (signature: string) => unknown]>([
    ['nothing', () => undefined],
    ['an empty text', () => ''],
    ['too little', (signature) => signature.slice(1)],
    ['too much', (signature) => `${signature}0`],
    ['a line break at the end', (signature) => `${signature}\n`],
    ['upper case', (signature) => signature.toUpperCase()],
    ['base64', (signature) => Buffer.from(signature, 'hex').toString('base64')],
    ['two signatures', (signature) => `${signature}, ${signature}`],
    ['a list', (signature) => [signature]],
  ])('is invalid as %s', (_, change) => {
    expect(isSigned('content', change(sign('content', 'secret')), 'secret')).toBe(false);
  });
});

function withBitFlipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}
