import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  client: Socket;
  server: Socket;
}

/** The action for a connection on which the service sends a certain text. */
type Ambush = { text: string; act: (pair: Pair) => void };

/** Stands between the service and its database, and simulates network faults. */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private ambush: Ambush | undefined;
  private frozen = false;
  private counted: { text: string; times: number } | undefined;

  private constructor(
    private readonly listener: Server,
    private target: URL,
  ) {
    listener.on('connection', (client: Socket) => this.join(client));
  }

  static async before(databaseUrl: string): Promise<TcpProxy> {
    const listener = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new TcpProxy(listener, new URL(databaseUrl));
  }

  /** The URL of the database through the proxy. */
  get url(): string {
    const { port } = this.listener.address() as AddressInfo;
    return Object.assign(new URL(this.target), { port: String(port) }).href;
  }

  /** Stops all data in both directions without closing connections. */
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

  /** New connections lead to another server. */
  moveTo(databaseUrl: string): void {
    this.target = new URL(databaseUrl);
    this.cutAll();
  }

  cutAll(): void {
    for (const pair of this.pairs) cut(pair);
  }

  /** Cuts the next connection that sends this text, before the database gets it. Resolves after the cut. */
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

  /**
   * Cuts the next connection that sends this text when the database has answered, so that the service never
   * gets the answer.
   */
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

  /** Counts how many times the service sends this text from now on. */
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
      // A connection that breaks on one side is closed on the other.
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
