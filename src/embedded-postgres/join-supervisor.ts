import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { logFileOf, logSince, logSize, openLogFile } from './log-file.js';
import { childEnvironment } from './run.js';
import { SupervisorConnection } from './supervisor-connection.js';
import { readSupervisorFile } from './supervisor-file.js';

const ATTEMPTS = 20;

/** Connects to the supervisor of a DATA_DIR, after starting one if there is none. */
export async function joinSupervisor(
  dataDir: string,
  log: (line: string) => void,
): Promise<SupervisorConnection> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const file = await readSupervisorFile(dataDir);
    const connection = file && (await SupervisorConnection.open(file, dataDir, log));
    if (connection) return connection;
    await startSupervisor(dataDir);
  }
  throw new EmbeddedDatabaseError(
    `The supervisor of PostgreSQL cannot be reached; see ${logFileOf(dataDir)}.`,
  );
}

/** Resolves when this supervisor has taken the DATA_DIR, or has given way to another one. */
async function startSupervisor(dataDir: string): Promise<void> {
  const extension = path.extname(import.meta.url);
  const output = openLogFile(dataDir);
  const logged = await logSize(dataDir);
  const child = spawn(
    process.execPath,
    [
      // Running from the sources, Node needs its loader. Else its options are not for the supervisor: --eval, --inspect.
      ...(extension === '.ts' ? process.execArgv : []),
      fileURLToPath(new URL(`supervisor${extension}`, import.meta.url)),
      dataDir,
    ],
    // In a session of its own, so that Ctrl-C or a signal to the service's process group does not reach it.
    { detached: true, stdio: ['ignore', output, output], env: childEnvironment() },
  );
  closeSync(output);
  const exit = new Promise<number | null>((resolve, reject) =>
    child.once('exit', resolve).once('error', reject),
  );
  for (;;) {
    const code = await Promise.race([exit, delay(10, 'running' as const)]);
    if (code === 0) return;
    if (code !== 'running') {
      const reason = await logSince(dataDir, logged);
      throw new EmbeddedDatabaseError(`The supervisor of PostgreSQL did not start: ${reason}`);
    }
    if ((await readSupervisorFile(dataDir))?.pid === child.pid) break;
  }
  child.unref();
}
