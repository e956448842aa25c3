import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** On one connection. A client that sends more does not mean to read the answers. */
const MOST_WAITING_ON_ONE = 100;

/** On all connections of a node together. A waiting request holds about 3 KB. */
const MOST_WAITING = 10_000;

/**
 * Begins the requests of a connection one after the other. Node begins all that arrive at once and keeps their answers:
 * 5 connections with 100 requests each for 1.3 MB, whose answers the client never reads, then cost 613 MB instead of 23.
 * Every begun answer also gets its `close`, so that a handler may release there what it holds.
 */
export function inTurn(begin: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, WaitingLine>();
  const all = { waiting: 0 };
  return (request, response) => {
    // Node gives the socket to the answer that leaves next. For most requests that is now.
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
    // Node resumes reading after every request, although we have paused it.
    socket.on('resume', () => {
      if (this.length > 0) socket.pause();
    });
    socket.once('close', () => this.change(-this.length));
  }

  join(response: ServerResponse, begin: () => void): void {
    this.change(1);
    if (this.length > MOST_WAITING_ON_ONE || this.all.waiting > MOST_WAITING) {
      this.socket.destroy();
      return;
    }
    this.socket.pause();
    // Not now: first other connections get their turn.
    response.once('socket', () => setImmediate(() => this.begin(begin)));
  }

  private begin(begin: () => void): void {
    // The client is gone, or the answer before was the last one.
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
