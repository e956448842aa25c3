import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { SandboxKeys } from '../account/sandbox-keys.js';
import { Refusal } from '../refusal.js';

/** The API is for whoever has the keys. */
@Injectable()
export class KeysGuard implements CanActivate {
  constructor(private readonly keys: SandboxKeys) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { authorization = '' } = context.switchToHttp().getRequest<ApiRequest>().headers;
    const { keyId, keySecret } = await this.keys.read();
    const expected = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
    if (!timingSafeEqual(digest(authorization), digest(expected)))
      throw new Refusal('Authentication failed', null, 401);
    return true;
  }
}

/** Of one length, as the comparison wants it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
