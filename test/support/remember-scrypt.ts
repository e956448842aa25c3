import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { inTheEnd } from './in-the-end.js';

type Asked = [password: string, salt: Buffer, length: number, options: crypto.ScryptOptions];
type Done = (error: Error | null, key: Buffer) => void;

/** For suites about who waits for whom: whoever comes with this password takes as long as the suite wants. */
export interface Gate {
  close(password: string): void;
  /** The one that has waited longest, if any does. */
  letOneThrough(): void;
  open(): void;
  /** Says whether anybody came with this one in the meantime. */
  saw(password: string): boolean;
}

/**
 * For suites that show the same few passwords again and again, and are not about how long that takes: what was derived once is known until
 * the suite ends. The first time it is derived in earnest, with all the work that the service asks for.
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
  // Modules import it by its name.
  syncBuiltinESMExports();
}
