import crypto from 'node:crypto';
import { atSuiteEnd } from './suite-end.js';

type ScryptRequest = [password: string, salt: Buffer, length: number, options: crypto.ScryptOptions];
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

/** The work of a hash with this cost: `{ cost: 4, blockSize: 8, parallel: 1 }`. */
const LITTLE = { N: 2 ** 4, r: 8, p: 1 };

let current: Gate | undefined;

/**
 * Until the end of the suite, this process hashes passwords with little work: the real work is a quarter of a
 * second each. Another process does not know such a hash.
 */
export function hashQuickly(): Gate {
  return (current ??= replaceScrypt());
}

function replaceScrypt(): Gate {
  const { scrypt } = crypto;
  const waiting: (() => void)[] = [];
  const cached = new Set<string>();
  let closedTo: string | undefined;
  const quick = (...[password, salt, length, options, done]: [...ScryptRequest, Done]) => {
    const begin = () => scrypt(password, salt, length, { ...options, ...LITTLE }, done);
    cached.add(password);
    if (password === closedTo) waiting.push(begin);
    else begin();
  };
  crypto.scrypt = quick as typeof scrypt;
  const open = () => {
    closedTo = undefined;
    for (const begin of waiting.splice(0)) begin();
  };
  atSuiteEnd(() => {
    current = undefined;
    crypto.scrypt = scrypt;
    open();
  });
  return {
    close: (password) => {
      closedTo = password;
      cached.clear();
    },
    letOneThrough: () => waiting.shift()?.(),
    open,
    saw: (password) => cached.has(password),
  };
}
