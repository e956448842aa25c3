import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { inTheEnd } from './in-the-end.js';

type Asked = [password: string, salt: Buffer, length: number, options: crypto.ScryptOptions];
type Done = (error: Error | null, key: Buffer) => void;

/**
 * For suites that show the same few passwords again and again, and are not about how long that takes: what was derived once is known until
 * the suite ends. The first time it is derived in earnest, with all the work that the service asks for.
 */
export function rememberScrypt(): void {
  const { scrypt } = crypto;
  const known = new Map<string, Buffer>();
  const remembering = (...[password, salt, length, options, done]: [...Asked, Done]) => {
    const asked = JSON.stringify([password, salt, length, options]);
    const key = known.get(asked);
    if (key) return void setImmediate(done, null, key);
    scrypt(password, salt, length, options, (error, derived) => {
      if (!error) known.set(asked, derived);
      done(error, derived);
    });
  };
  replaceScrypt(remembering as typeof scrypt);
  inTheEnd(() => replaceScrypt(scrypt));
}

function replaceScrypt(by: typeof crypto.scrypt): void {
  crypto.scrypt = by;
  // Modules import it by its name.
  syncBuiltinESMExports();
}
