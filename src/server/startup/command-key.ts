import { readFile, rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { COMMAND_KEY_FILE, type Connection } from '../../cli/api/connection.js';
import type { AdminKeysService } from '../../modules/auth/keys/admin-keys.service.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { printLine } from './announce.js';

/**
 * The admin key of the commands on this machine, in DATA_DIR beside the passwords of its database. It is made
 * before the service listens, and its file written when the port is known.
 */
export async function commandKey(keys: AdminKeysService, dataDir: string) {
  const file = resolve(dataDir, COMMAND_KEY_FILE);
  try {
    const kept = await readKept(file);
    const isGood = kept !== undefined && (await keys.isInForce(kept));
    const input = { name: 'Commands of this machine', role: 'admin' };
    const key = isGood ? kept : (await keys.add(input, 'service')).key;
    return async (listeningAt: string) => {
      const url = listeningAt.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//127.0.0.1');
      const connection: Connection = { url, key };
      // Atomic, even if the process is killed meanwhile.
      await writeFile(`${file}.new`, `${JSON.stringify(connection)}\n`, { mode: 0o600 });
      await rename(`${file}.new`, file);
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The service is served without them.
    printLine(`Commands of this machine have no key. ${error.message}`);
    return undefined;
  }
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    const { key } = JSON.parse(await readFile(file, 'utf8')) as Partial<Connection>;
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}
