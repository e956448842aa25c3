import { hash, randomInt } from 'node:crypto';

/** Crockford's: nothing in it is taken for something else when it is read from paper. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 4;

const FORM = new RegExp(`^[${ALPHABET}]{${GROUPS * GROUP_LENGTH}}$`);

/** 80 random bits, to be read from paper: 7KQ2-M0XA-… */
export function newRecoveryCode(): string {
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Whatever was written in between, and however; nothing for what cannot be one. */
export function hashRecoveryCode(given: string): Buffer | undefined {
  const code = given.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return FORM.test(code) ? hash('sha256', code, 'buffer') : undefined;
}

function group(): string {
  return Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
