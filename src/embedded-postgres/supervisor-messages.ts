import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';

/** A user's first message must be the greeting; a leaving user is answered by the end of the connection. */
export type Request =
  { greet: { secret: string; dataDir: string } } | { confirmCopy: true } | { leave: true };

export interface DatabaseFacts {
  url: string;
  directory: string;
  created: boolean;
  isCopy: boolean;
}

export type Reply =
  { welcome: true } | { log: string } | { ready: DatabaseFacts } | { failed: string } | { confirmed: true };

export function send(socket: Socket, message: Request | Reply): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** One JSON text a line; whoever sends anything else is hung up on. */
export function onMessage<T extends Request | Reply>(socket: Socket, handle: (message: T) => void): void {
  const lines = createInterface({ input: socket });
  // A broken connection is followed by `close`, which is what counts; both of these are told about it.
  for (const either of [socket, lines]) either.on('error', () => socket.destroy());
  lines.on('line', (line) => {
    try {
      handle(JSON.parse(line) as T);
    } catch {
      socket.destroy();
    }
  });
}
