import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { PACKAGE } from '../package-folder.js';
import { ENV_FILE } from './read-settings.js';

/** A setting with its meaning, and its value in this process. */
export interface ListedSetting {
  name: string;
  meaning: string;
  /** Empty if it has neither a value nor a default. The value of a secret is left out. */
  value: string;
  isSecret: boolean;
  isDefault: boolean;
  /** Whether the file `.env` has this value. */
  isFromFile: boolean;
}

/** `.env.example` has all names, defaults and meanings: a spec compares it with the code. */
const EXAMPLE = /^((?:#.*\n)*)((?:[A-Z_]+=.*\n?)+)/gm;

/** Values with passwords. An address without a login is refused at the start if it has one. */
const SECRET = /SECRET|KEY|PASSWORD|_URL$/;
const PLAIN_ADDRESSES: readonly string[] = ['PUBLIC_URL', 'RAZORPAY_API_URL'];

/** Lists all settings in the order of `.env.example`. Settings of one group have one meaning. */
export function listSettings(
  environment: NodeJS.ProcessEnv = process.env,
  file = existsSync(ENV_FILE) ? readFileSync(ENV_FILE, 'utf8') : '',
): ListedSetting[] {
  const example = readFileSync(new URL('.env.example', PACKAGE), 'utf8');
  const inFile = parseEnv(file);
  return [...example.matchAll(EXAMPLE)].flatMap(([, comment = '', lines = '']) => {
    const meaning = comment.replace(/^# ?/gm, '').trim().replaceAll('\n', ' ');
    return Object.entries(parseEnv(lines)).map(([name, fallback = '']) => {
      const given = environment[name]?.trim() ?? '';
      const isSecret = SECRET.test(name) && !PLAIN_ADDRESSES.includes(name);
      return {
        name,
        meaning,
        value: isSecret && given !== '' ? '' : given || fallback,
        isSecret,
        isDefault: given === '',
        isFromFile: given !== '' && inFile[name]?.trim() === given,
      };
    });
  });
}
