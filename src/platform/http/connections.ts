import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait on one connection. A client that sends more does not intend to read the answers. */
const MAX_WAITING_PER_CONNECTION = 100;

/** Requests that wait on all connections of a node. Each holds about 3 KB. */
const MAX_WAITING = 10_000;

/**
 * Starts the requests of a connection one after the other. Node starts all that arrive at once and keeps
 * their answers: 5 connections with 100 requests each for 1.3 MB, never read, cost 613 MB instead of 23.
 * Every started answer also gets its `close`, where a handler may release resources.
 */
export function serializeRequests(begin: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, WaitingLine>();
  const all = { waiting: 0 };
  return (request, response) => {
    // Node gives the socket to the next answer. For most requests that is now.
    if (response.socket) return begin(request, response);
    const { socket } = request;
    let line = lines.get(socket);
    if (!line) lines.set(socket, (line = new WaitingLine(socket, all)));
    line.join(response, () => begin(request, response));
  };
}

class WaitingLine {
  private length = 0;

  constructor(
    private readonly socket: Socket,
    private readonly all: { waiting: number },
  ) {
    // Node resumes reading after every request, even if the socket was paused.
    socket.on('resume', () => {
      if (this.length > 0) socket.pause();
    });
    socket.once('close', () => this.change(-this.length));
  }

  join(response: ServerResponse, begin: () => void): void {
    this.change(1);
    if (this.length > MAX_WAITING_PER_CONNECTION || this.all.waiting > MAX_WAITING) {
      this.socket.destroy();
      return;
    }
    this.socket.pause();
    // Later, so that other connections get their turn.
    response.once('socket', () => setImmediate(() => this.begin(begin)));
  }

  private begin(begin: () => void): void {
    // The client is gone, or the previous answer was the last one.
    if (!this.socket.writable) return;
    this.change(-1);
    if (this.length === 0) this.socket.resume();
    begin();
  }

  private change(by: number): void {
    this.length += by;
    this.all.waiting += by;
  }
}

/**
 * A client that reads nothing for this time is cut off. Node checks once in this time, so it can take twice
 * as long.
 */
const UNREAD_MS = 30_000;

/** The same for a file: its unread part waits on the disk, and its reader may have a bad connection. */
export const UNREAD_FILE_MS = 10 * 60_000;

/**
 * Closes connections of clients that do not read their answers. Node has no such limit: each would hold its
 * answer, up to megabytes, for ever. Slow readers stay while they read.
 */
export function cutUnreadAnswers(server: Server): void {
  server.setTimeout(UNREAD_MS, (socket: Socket) => {
    // After a plain close the kernel would keep the unread megabytes until it gives up the client.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    // Between requests Node sets the longer keep-alive time. During a request its own limits apply.
    else if (socket.timeout !== UNREAD_MS && socket.timeout !== UNREAD_FILE_MS) socket.destroy();
  });
}
