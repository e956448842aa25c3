import crypto from 'node:crypto';

/**
 * The cost of a hash: 2^`cost` blocks of `blockSize`, `parallel` times. It is stored with the hash, so it can
 * be raised later.
 */
interface Work {
  cost: number;
  blockSize: number;
  parallel: number;
}

/** 32 MB and about a quarter of a second. */
const WORK: Work = { cost: 15, blockSize: 8, parallel: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The usual format: $scrypt$ln=15,r=8,p=3$salt$hash. */
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;

/** Hashing against this takes the same time as for an existing account. */
export const NO_ACCOUNT_HASH = format(WORK, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

export async function hashPassword(password: string, work = WORK): Promise<string> {
  const salt = crypto.randomBytes(SALT_BYTES);
  return format(work, salt, await derive(password, salt, work));
}

/** Checks a password. `isCurrent`: its hash has the current cost. */
export async function verifyPassword(
  password: string,
  stored: string,
): Promise<{ isRight: boolean; isCurrent: boolean }> {
  const { work, salt, hash } = parse(stored);
  const isRight = crypto.timingSafeEqual(await derive(password, salt, work), hash);
  return { isRight, isCurrent: stored.startsWith(prefix(WORK)) };
}

/** NFKC: passwords that look the same are equal, from every keyboard. */
function derive(password: string, salt: Buffer, { cost, blockSize, parallel }: Work): Promise<Buffer> {
  const options = {
    N: 2 ** cost,
    r: blockSize,
    p: parallel,
    // Twice the memory needed; Node's default limit is just below it.
    maxmem: 256 * 2 ** cost * blockSize,
  };
  return new Promise((resolve, reject) => {
    crypto.scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function parse(stored: string): { work: Work; salt: Buffer; hash: Buffer } {
  const [, cost, blockSize, parallel, salt = '', hash = ''] = FORM.exec(stored) ?? [];
  if (hash === '') throw new Error('This is no hash of a password.');
  return {
    work: { cost: Number(cost), blockSize: Number(blockSize), parallel: Number(parallel) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function format(work: Work, salt: Buffer, hash: Buffer): string {
  return `${prefix(work)}${base64(salt)}$${base64(hash)}`;
}

function prefix({ cost, blockSize, parallel }: Work): string {
  return `$scrypt$ln=${cost},r=${blockSize},p=${parallel}$`;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
