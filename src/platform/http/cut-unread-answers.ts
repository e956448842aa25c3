import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** How long a client may take nothing of its answer. Node looks once in this time, so that it is cut after twice that at most. */
const UNREAD_MS = 30_000;

/** Has the connections of clients closed that do not read what they asked for. Slow readers are none as long as they read. */
export function cutUnreadAnswers(server: Server): void {
  server.setTimeout(UNREAD_MS, (socket: Socket) => {
    if (socket.writableLength > 0) reset(socket);
    // Between two requests Node sets the longer time for which a connection is kept. During one the request's own limits count.
    else if (socket.timeout !== UNREAD_MS) socket.destroy();
  });
}

/** A mere close would leave the system with what it holds for the client, megabytes each, until it gives the client up. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
