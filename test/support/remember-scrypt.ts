import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { inTheEnd } from './in-the-end.js';

type Asked = [password: string, salt: Buffer, length: number, options: crypto.ScryptOptions];
type Done = (error: Error | null, key: Buffer) => void;

/** For tests of waiting requests: requests with the closed password wait until the test releases them. */
export interface Gate {
  close(password: string): void;
  /** Releases the request that has waited longest, if there is one. */
  letOneThrough(): void;
  open(): void;
  /** Returns whether a request with this password has arrived since the gate was closed. */
  saw(password: string): boolean;
}

/**
 * For suites that use the same passwords repeatedly: a derived key is cached until the suite ends. The first
 * derivation runs with the real cost.
 */
export function rememberScrypt(): Gate {
  const { scrypt } = crypto;
  const known = new Map<string, Buffer>();
  const waiting: (() => void)[] = [];
  const seen = new Set<string>();
  let closedTo: string | undefined;
  const derive = ([password, salt, length, options]: Asked, done: Done) => {
    const asked = JSON.stringify([password, salt, length, options]);
    const key = known.get(asked);
    if (key) return void setImmediate(done, null, key);
    scrypt(password, salt, length, options, (error, derived) => {
      if (!error) known.set(asked, derived);
      done(error, derived);
    });
  };
  const remembering = (...[password, salt, length, options, done]: [...Asked, Done]) => {
    const begin = () => derive([password, salt, length, options], done);
    seen.add(password);
    if (password === closedTo) waiting.push(begin);
    else begin();
  };
  replaceScrypt(remembering as typeof scrypt);
  const open = () => {
    closedTo = undefined;
    for (const begin of waiting.splice(0)) begin();
  };
  inTheEnd(() => {
    replaceScrypt(scrypt);
    open();
  });
  return {
    close: (password) => {
      closedTo = password;
      seen.clear();
    },
    letOneThrough: () => waiting.shift()?.(),
    open,
    saw: (password) => seen.has(password),
  };
}

function replaceScrypt(by: typeof crypto.scrypt): void {
  crypto.scrypt = by;
  // Modules import the function by name.
  syncBuiltinESMExports();
}
