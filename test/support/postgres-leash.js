// Runs PostgreSQL for the tests and takes it, with its directory, along when the process at the other end of standard
// input goes away, in whatever manner: a killed test run leaves nothing behind.
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
