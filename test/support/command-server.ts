import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTheEnd } from './in-the-end.js';

const [PROCESS, CLIENT] = ['command-server-process.js', 'command-client.js'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);

/**
 * What a shell in the folder calls the commands by: with environment, output and status of their own, but in one process, since to load the
 * product for each takes longer than what most of them do.
 */
export async function startCommandServer(folder: string): Promise<string> {
  const address = path.join(folder, 'commands.sock');
  const server = fork(PROCESS!, [address], { cwd: folder, execArgv: [], env: { PATH: process.env.PATH } });
  const end = inTheEnd(() => server.kill('SIGKILL'));
  server.once('close', () => void end());
  await once(server, 'message');
  return [process.execPath, CLIENT!, address].map((word) => `"${word}"`).join(' ');
}
