import { DomainError } from '../../platform/errors/domain-error.js';

/** Whether it was done is not known. The same may be asked for again. */
export function gatewayUnavailable(message: string, cause?: unknown): DomainError {
  return new DomainError('gateway_unavailable', message, { retryAfterSeconds: 30, cause });
}

/** It was not done. */
export function gatewayRefused(message: string): DomainError {
  return new DomainError('gateway_refused', message);
}

export function signatureInvalid(): DomainError {
  return new DomainError('signature_invalid', 'This was not signed by the gateway.');
}
