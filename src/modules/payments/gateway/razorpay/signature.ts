import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { signatureInvalid } from '../payment-gateway.js';

const HEX_OF_SHA256 = /^[0-9a-f]{64}$/;

/** Razorpay's signature: HMAC-SHA256 in lower-case hex. */
export function sign(content: Buffer | string, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('hex');
}

/** Compares in constant time, so that timing does not reveal the signature. */
export function isSigned(content: Buffer | string, signature: unknown, secret: string): boolean {
  if (typeof signature !== 'string' || !HEX_OF_SHA256.test(signature)) return false;
  return timingSafeEqual(
    Buffer.from(signature, 'hex'),
    createHmac('sha256', secret).update(content).digest(),
  );
}

/** Refuses requests without a plausible signature before their body is read. */
export class LooksSignedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const signature = context.switchToHttp().getRequest<Request>().headers['x-razorpay-signature'];
    if (typeof signature !== 'string' || !HEX_OF_SHA256.test(signature)) throw signatureInvalid();
    return true;
  }
}
