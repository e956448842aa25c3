import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that sends exactly these bytes, even invalid ones. */
export class RawConnection {
  received = '';
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    // The server may cut a hostile client; `closed` reports it.
    socket.on('error', () => undefined);
  }

  static async open(url: string, bytes = ''): Promise<RawConnection> {
    const { port, hostname } = new URL(url);
    const connection = new RawConnection(connect(Number(port), hostname));
    connection.socket.on('data', (chunk: Buffer) => (connection.received += chunk.toString('latin1')));
    return connection.begin(bytes);
  }

  /**
   * Opens a connection that reads `piece` bytes, and as many again with each `readOn`. It does not notice its
   * own end.
   */
  static async openUnread(url: string, bytes: string, piece: number): Promise<RawConnection> {
    const { port, hostname } = new URL(url);
    const onread = { buffer: Buffer.alloc(piece), callback: () => false };
    return new RawConnection(connect({ port: Number(port), host: hostname, onread })).begin(bytes);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  send(bytes: string): void {
    if (bytes !== '' && this.isOpen) this.socket.write(bytes);
  }

  readOn(): void {
    if (this.isOpen) this.socket.resume();
  }

  end(): void {
    this.socket.destroy();
  }

  private async begin(bytes: string): Promise<this> {
    await once(this.socket, 'connect');
    this.send(bytes);
    return this;
  }
}
