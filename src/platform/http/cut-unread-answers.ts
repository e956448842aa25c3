import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A client that reads nothing for this time is cut off, after twice that at most: Node looks once in this time. */
const UNREAD_MS = 30_000;

/**
 * Closes the connections of clients that do not read their answers. Node has no limit for that: each would hold its
 * answer, up to megabytes, for ever. A slow reader stays as long as it reads.
 */
export function cutUnreadAnswers(server: Server): void {
  server.setTimeout(UNREAD_MS, (socket: Socket) => {
    if (socket.writableLength > 0) reset(socket);
    // Between two requests Node sets the longer keep-alive time. During a request the request's own limits count.
    else if (socket.timeout !== UNREAD_MS) socket.destroy();
  });
}

/** After a plain close the system would keep the unread megabytes until it gives the client up. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
