import { createHmac, timingSafeEqual } from 'node:crypto';

export const HEX_OF_SHA256 = /^[0-9a-f]{64}$/;

/** As Razorpay signs: HMAC-SHA256 in lower-case hex. */
export function sign(content: Buffer | string, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('hex');
}

/** Takes as long whatever is wrong with it, so that nobody can find the right one bit by bit. */
export function isSigned(content: Buffer | string, signature: unknown, secret: string): boolean {
  if (typeof signature !== 'string' || !HEX_OF_SHA256.test(signature)) return false;
  return timingSafeEqual(
    Buffer.from(signature, 'hex'),
    createHmac('sha256', secret).update(content).digest(),
  );
}
