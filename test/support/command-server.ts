import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atSuiteEnd } from './suite-end.js';

const [PROCESS, CLIENT] = ['command-server-process.js', 'command-client.js'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);

/**
 * Returns the command with which a shell in the folder calls the commands. They have their own environment,
 * output and status but share one process, because loading the product takes longer than most commands.
 */
export async function startCommandServer(folder: string): Promise<string> {
  const address = path.join(folder, 'commands.sock');
  const server = fork(PROCESS!, [address], { cwd: folder, execArgv: [], env: { PATH: process.env.PATH } });
  const end = atSuiteEnd(() => server.kill('SIGKILL'));
  server.once('close', () => void end());
  await once(server, 'message');
  return [process.execPath, CLIENT!, address].map((word) => `"${word}"`).join(' ');
}
