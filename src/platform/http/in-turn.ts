import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** On one connection. More come from nobody who means to read the answers. */
const MOST_WAITING_ON_ONE = 100;

/** On all connections of a node together. One that waits holds about 3 KB, and only who sends ahead of the answers waits at all. */
const MOST_WAITING = 10_000;

/**
 * Begins the requests of a connection one after the other, each when the answer before it has left. Node would begin all that a
 * client sends in one go and keep their answers until it takes them. So one connection never costs more than one request in
 * the making, nothing is made for a client that is gone or reads nothing, and every answer that is begun is closed: whoever holds
 * something for it may rely on its `close`.
 */
export function inTurn(begin: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, WaitingLine>();
  const all = { waiting: 0 };
  return (request, response) => {
    // Node gives the socket to the answer that is the next to leave. For nearly every request that is at once.
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
    // Node resumes reading after every request, whoever paused it.
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
    // Not at once: other connections have their turn in between, however many wait on this one.
    response.once('socket', () => setImmediate(() => this.begin(begin)));
  }

  private begin(begin: () => void): void {
    // Gone, or told that the answer before was the last.
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
