import { DomainError, type FieldError, validationFailed } from '../../platform/errors/domain-error.js';
import { lineFault } from '../../platform/validation/texts.js';
import { hostDomain } from './domain.js';

export interface NewTokenForm {
  name: string;
  domain: string;
  requestKey: string;
}

const LONGEST_NAME = 100;

const REQUEST_KEY = /^[\w-]{16,64}$/;

/** Reports all errors at once. */
export function readNewToken(form: NewTokenForm): NewTokenForm {
  const name = form.name.trim();
  const domain = hostDomain(form.domain);
  const faults: FieldError[] = nameFaults(name);
  if (domain === null) {
    const message = 'must look like store.example.com, without a path';
    faults.push({ field: 'domain', code: 'malformed', message });
  }
  if (faults.length > 0) throw validationFailed(faults);
  return { name, domain: domain!, requestKey: readRequestKey(form.requestKey) };
}

export function readTokenName(text: string): string {
  const name = text.trim();
  const faults = nameFaults(name);
  if (faults.length > 0) throw validationFailed(faults);
  return name;
}

/** People do not type this field: a wrong value is not from our form. */
export function readRequestKey(text: string): string {
  if (REQUEST_KEY.test(text)) return text;
  throw new DomainError('malformed_request', 'The form is incomplete. Open its page again.');
}

function nameFaults(name: string): FieldError[] {
  const message = lineFault(name, LONGEST_NAME);
  return message === undefined ? [] : [{ field: 'name', code: 'malformed', message }];
}

/** The time that a replaced token stays valid, in seconds. */
const SECONDS = { now: 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const;

export type Overlap = keyof typeof SECONDS;

export function readOverlap(text: string): Overlap {
  if (Object.hasOwn(SECONDS, text)) return text as Overlap;
  throw validationFailed([{ field: 'overlap', code: 'unknown_value', message: 'is not one of the choices' }]);
}

export function secondsOf(overlap: Overlap): number {
  return SECONDS[overlap];
}
