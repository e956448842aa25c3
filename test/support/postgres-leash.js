// Runs PostgreSQL for the tests. It stops PostgreSQL and removes its directory when standard input closes, so
// that a killed test run leaves nothing behind. SIGTERM shuts PostgreSQL down and keeps the directory.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const [directory, uid, gid, postgres, ...args] = process.argv.slice(2);
const server = spawn(postgres, args, {
  cwd: join(directory, 'postgres'),
  stdio: ['ignore', 'inherit', 'inherit'],
  ...(uid && { uid: Number(uid), gid: Number(gid) }),
});

let isKept = false;
process.once('SIGTERM', () => {
  isKept = server.kill('SIGINT');
});
process.stdin.resume().on('close', () => server.kill('SIGQUIT'));
server.once('error', (error) => process.stderr.write(error.message));
server.once('close', () => {
  if (isKept) process.exit();
  rmSync(directory, { recursive: true, force: true });
});
