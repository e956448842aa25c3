import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which exactly these bytes are sent, however badly they are behaved. */
export class RawConnection {
  received = '';
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    // That a hostile client is cut off is what is wanted: `closed` tells.
    socket.on('error', () => undefined);
  }

  static async open(url: string, bytes = ''): Promise<RawConnection> {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const connection = new RawConnection(socket);
    connection.send(bytes);
    return connection;
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  send(bytes: string): void {
    if (bytes !== '' && this.isOpen) this.socket.write(bytes);
  }

  end(): void {
    this.socket.destroy();
  }
}
