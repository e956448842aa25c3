import 'reflect-metadata';
import { SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import {
  ACCESS_RULE,
  type AccessRule,
  Open,
  SignedIn,
  STRICTEST,
  type Credential,
} from '../../../platform/access/access-rule.js';
import { Authenticated } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { AccessGuard } from './access.guard.js';

class Routes {
  unmarked(): void {}

  @Open()
  open(): void {}

  @Authenticated()
  subscribed(): void {}

  @Authenticated('without subscription')
  lenient(): void {}

  @SignedIn()
  forPeople(): void {}

  @SetMetadata(ACCESS_RULE, { credential: 'a secret handshake' })
  unheardOf(): void {}
}

@Open()
class OpenRoutes {
  unmarked(): void {}

  @Authenticated()
  subscribed(): void {}
}

/** A credential in the request itself. It records the rules that it was checked against. */
class Password implements Credential {
  readonly rules: AccessRule[] = [];

  admit({ headers }: ApiRequest, _: unknown, rule: AccessRule): void | Promise<void> {
    this.rules.push(rule);
    if (headers.authorization === 'sesame, in a moment') return Promise.resolve();
    if (headers.authorization === 'nearly, in a moment') return Promise.reject(refused());
    if (headers.authorization !== 'sesame') throw refused();
  }
}

const refused = () => new DomainError('token_missing', 'Say the word.');

describe('AccessGuard', () => {
  let password: Password;
  let session: Password;
  let guard: AccessGuard;

  beforeEach(() => {
    password = new Password();
    session = new Password();
    guard = new AccessGuard(new Reflector(), { 'store token': password, session, 'admin key': password });
  });

  function enter<Controller extends object>(
    controller: new () => Controller,
    route: keyof Controller & string,
    authorization?: string,
  ): boolean | Promise<boolean> {
    const request = { headers: { authorization } };
    const handler = controller.prototype[route] as () => void;
    return guard.canActivate(new ExecutionContextHost([request, {}], controller, handler));
  }

  it('refuses a request without credentials to a route without a mark', () => {
    expect(() => enter(Routes, 'unmarked')).toThrow('Say the word.');
  });

  it('requires everything from a route without a mark', () => {
    expect(enter(Routes, 'unmarked', 'sesame')).toBe(true);
    expect(password.rules).toEqual([STRICTEST]);
  });

  it('opens a route whose mark says so, and calls no checker', () => {
    expect(enter(Routes, 'open')).toBe(true);
    expect(password.rules).toEqual([]);
  });

  it('uses the mark of the class for a handler without a mark', () => {
    expect(enter(OpenRoutes, 'unmarked')).toBe(true);
  });

  it('prefers the mark of the handler to the mark of its class', () => {
    expect(() => enter(OpenRoutes, 'subscribed')).toThrow('Say the word.');
  });

  it('passes on the exact requirements of the mark', () => {
    expect(enter(Routes, 'subscribed', 'sesame')).toBe(true);
    expect(enter(Routes, 'lenient', 'sesame')).toBe(true);
    expect(password.rules).toEqual([
      { credential: 'store token', subscription: 'required', tokens: ['full'] },
      { credential: 'store token', subscription: 'not required', tokens: ['full'] },
    ]);
  });

  it('checks only the credential in the mark of the route', () => {
    expect(enter(Routes, 'forPeople', 'sesame')).toBe(true);
    expect(session.rules).toEqual([{ credential: 'session', of: 'client' }]);
    expect(password.rules).toEqual([]);
  });

  it('closes a route whose credential has no checker', () => {
    expect(() => enter(Routes, 'unheardOf', 'sesame')).toThrow(/has no checker/);
    expect(password.rules).toEqual([]);
  });

  it('waits for an asynchronous credential', async () => {
    await expect(enter(Routes, 'subscribed', 'sesame, in a moment')).resolves.toBe(true);
    await expect(enter(Routes, 'subscribed', 'nearly, in a moment')).rejects.toThrow('Say the word.');
  });
});
