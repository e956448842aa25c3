import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { signatureInvalid } from '../gateway-errors.js';
import { HEX_OF_SHA256 } from './signature.js';

/** What cannot be signed by the gateway, whatever its body says, is refused before that is read. */
export class LooksSignedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const signature = context.switchToHttp().getRequest<Request>().headers['x-razorpay-signature'];
    if (typeof signature !== 'string' || !HEX_OF_SHA256.test(signature)) throw signatureInvalid();
    return true;
  }
}
