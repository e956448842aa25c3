import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ENV_FILE, SETTINGS_TABLE } from './settings.js';

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

/** Values with passwords. An address without a login is refused at the start if it has one. */
const SECRET = /SECRET|KEY|PASSWORD|_URL$/;
const PLAIN_ADDRESSES: readonly string[] = ['PUBLIC_URL', 'RAZORPAY_API_URL'];

export function listSettings(
  environment: NodeJS.ProcessEnv = process.env,
  file = existsSync(ENV_FILE) ? readFileSync(ENV_FILE, 'utf8') : '',
): ListedSetting[] {
  const inFile = parseEnv(file);
  return Object.values(SETTINGS_TABLE).map(({ name, fallback, meaning }) => {
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
}
