// Runs PostgreSQL for the tests. It stops PostgreSQL and removes its directory when standard input closes, so
// that a killed test run leaves nothing behind.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const [directory, uid, gid, postgres, ...args] = process.argv.slice(2);
const server = spawn(postgres, args, {
  cwd: join(directory, 'postgres'),
  stdio: ['ignore', 'inherit', 'inherit'],
  ...(uid && { uid: Number(uid), gid: Number(gid) }),
});

process.stdin.resume().on('close', () => server.kill('SIGQUIT'));
server.once('error', (error) => process.stderr.write(error.message));
server.once('close', () => rmSync(directory, { recursive: true, force: true }));
