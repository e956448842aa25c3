import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  client: Socket;
  server: Socket;
}

/** What happens to a connection on which the service sends a certain text. */
type Ambush = { text: string; act: (pair: Pair) => void };

/** Stands between the service and its database, and does what networks do. */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private ambush: Ambush | undefined;
  private frozen = false;
  private counted: { text: string; times: number } | undefined;

  private constructor(
    private readonly listener: Server,
    private readonly target: URL,
  ) {
    listener.on('connection', (client: Socket) => this.join(client));
  }

  static async before(databaseUrl: string): Promise<TcpProxy> {
    const listener = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new TcpProxy(listener, new URL(databaseUrl));
  }

  /** The database as it is reached through the proxy. */
  get url(): string {
    const { port } = this.listener.address() as AddressInfo;
    return Object.assign(new URL(this.target), { port: String(port) }).href;
  }

  /** Nothing passes any more, in either direction, and no connection breaks. */
  freeze(): void {
    this.frozen = true;
    for (const { client, server } of this.pairs) {
      client.pause();
      server.pause();
    }
  }

  thaw(): void {
    this.frozen = false;
    for (const { client, server } of this.pairs) {
      client.resume();
      server.resume();
    }
  }

  cutAll(): void {
    for (const pair of this.pairs) cut(pair);
  }

  /** The next connection that sends this text is cut before the database sees it. Resolves when that happened. */
  cutAt(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.ambush = {
        text,
        act: (pair) => {
          cut(pair);
          resolve();
        },
      };
    });
  }

  /** The next connection that sends this text is cut once the database has answered: the service never learns what. */
  dropAnswerTo(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.ambush = {
        text,
        act: (pair) => {
          pair.server.removeAllListeners('data');
          pair.server.once('data', () => {
            cut(pair);
            resolve();
          });
        },
      };
    });
  }

  /** Counts from now on how often the service sends this text. */
  count(text: string): { times: number } {
    const counted = { text, times: 0 };
    this.counted = counted;
    return counted;
  }

  async close(): Promise<void> {
    this.cutAll();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    const pair = { client, server };
    this.pairs.add(pair);
    client.on('data', (data: Buffer) => this.passOn(pair, data));
    server.on('data', (data: Buffer) => client.write(data));
    for (const socket of [client, server]) {
      // A connection that breaks on one side breaks on the other; that is all there is to it.
      socket.on('error', () => cut(pair));
      socket.on('close', () => {
        this.pairs.delete(pair);
        cut(pair);
      });
      if (this.frozen) socket.pause();
      else socket.resume();
    }
  }

  private passOn(pair: Pair, data: Buffer): void {
    if (this.counted) this.counted.times += data.toString('latin1').split(this.counted.text).length - 1;
    if (this.ambush && data.includes(this.ambush.text)) {
      const { act } = this.ambush;
      this.ambush = undefined;
      act(pair);
    }
    if (!pair.server.destroyed) pair.server.write(data);
  }
}

function cut({ client, server }: Pair): void {
  client.destroy();
  server.destroy();
}
