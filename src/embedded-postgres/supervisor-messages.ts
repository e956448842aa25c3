import type { Socket } from 'node:net';

/** `onlyLooks`: whoever wants to know whether anybody is there, and goes again. */
export interface Greeting {
  secret: string;
  dataDir: string;
  onlyLooks?: true;
}

/** A user's first message must be the greeting; a leaving user is answered by the end of the connection. */
export type Request = { greet: Greeting } | { confirmCopy: true } | { leave: true };

export interface DatabaseFacts {
  url: string;
  directory: string;
  created: boolean;
  isCopy: boolean;
}

export type Reply =
  { welcome: true } | { log: string } | { ready: DatabaseFacts } | { failed: string } | { confirmed: true };

/** Far more than the longest path or the end of a log takes: whoever sends a longer line is none of ours. */
export const LONGEST_LINE = 65_536;

export function send(socket: Socket, message: Request | Reply): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** One JSON text a line; whoever sends anything else is hung up on. */
export function onMessage<T extends Request | Reply>(socket: Socket, handle: (message: T) => void): void {
  // A broken connection is followed by `close`, which is what counts.
  socket.on('error', () => socket.destroy());
  onLine(socket, (line) => {
    try {
      handle(JSON.parse(line) as T);
    } catch {
      socket.destroy();
    }
  });
}

/** Every local user may connect to the port, so no more of a line is kept than a message may have. */
function onLine(socket: Socket, handle: (line: string) => void): void {
  let begun = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const parts = text.split('\n');
    for (const [index, part] of parts.entries()) {
      begun += part;
      if (begun.length > LONGEST_LINE) socket.destroy();
      if (socket.destroyed) return;
      if (index === parts.length - 1) return;
      handle(begun);
      begun = '';
    }
  });
}
