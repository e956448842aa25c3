import { DomainError, type FieldError, validationFailed } from '../../platform/errors/domain-error.js';
import { lineFault } from '../../platform/validation/operator-text.js';
import { hostDomain } from './domain.js';

export interface NewTokenForm {
  name: string;
  domain: string;
  requestKey: string;
}

const LONGEST_NAME = 100;

const REQUEST_KEY = /^[\w-]{16,64}$/;

/** Everything that is wrong with it is told at once. */
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

/** Nobody typed it: who sends another has no form of ours. */
export function readRequestKey(text: string): string {
  if (REQUEST_KEY.test(text)) return text;
  throw new DomainError('malformed_request', 'The form is not complete. Open its page once more.');
}

function nameFaults(name: string): FieldError[] {
  const message = lineFault(name, LONGEST_NAME);
  return message === undefined ? [] : [{ field: 'name', code: 'malformed', message }];
}
