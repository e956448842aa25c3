import type { Request } from 'express';
import { callerAddress } from '../../platform/http/caller-address.js';

/** From where and with what somebody signs in, as they say and as proxies are believed. */
export interface Browser {
  address: string;
  userAgent: string;
}

const LONGEST_TOLD = 300;

export function browserOf(request: Request): Browser {
  const told = request.headers['user-agent'] ?? '';
  return {
    address: callerAddress(request),
    userAgent: told.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_TOLD),
  };
}
