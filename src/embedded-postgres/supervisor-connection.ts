import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SupervisorFile } from './supervisor-file.js';
import { type DatabaseFacts, type Greeting, onMessage, type Reply, send } from './supervisor-messages.js';

const PATIENCE = 5_000;

/** A user's line to the supervisor: PostgreSQL runs for as long as anybody holds one. */
export class SupervisorConnection {
  readonly closed: Promise<void>;
  /** Each is `undefined` if the line goes dead first. */
  readonly welcome: Promise<true | undefined>;
  readonly outcome: Promise<{ ready: DatabaseFacts } | { failed: string } | undefined>;
  readonly #replies = new EventEmitter<{ reply: [Reply] }>();

  private constructor(
    private readonly socket: Socket,
    readonly supervisorPid: number,
    log: (line: string) => void,
  ) {
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    this.welcome = this.#reply((reply) => ('welcome' in reply ? true : undefined));
    this.outcome = this.#reply((reply) => ('ready' in reply || 'failed' in reply ? reply : undefined));
    onMessage<Reply>(socket, (reply) => {
      if ('log' in reply) log(reply.log);
      else this.#replies.emit('reply', reply);
    });
  }

  /** `undefined` if there is no such supervisor any more, or another program has its port. */
  static open(
    { pid, port, secret }: SupervisorFile,
    dataDir: string,
    log: (line: string) => void,
  ): Promise<SupervisorConnection | undefined> {
    return SupervisorConnection.greet(pid, port, { secret, dataDir }, log);
  }

  /** Whether there is one, without becoming its user. */
  static async isThere({ pid, port, secret }: SupervisorFile, dataDir: string): Promise<boolean> {
    const greeting: Greeting = { secret, dataDir, onlyLooks: true };
    const connection = await SupervisorConnection.greet(pid, port, greeting, () => undefined);
    connection?.socket.destroy();
    return connection !== undefined;
  }

  private static async greet(
    pid: number,
    port: number,
    greeting: Greeting,
    log: (line: string) => void,
  ): Promise<SupervisorConnection | undefined> {
    const socket = connect(port, '127.0.0.1');
    const connection = new SupervisorConnection(socket, pid, log);
    const impatience = setTimeout(() => socket.destroy(), PATIENCE);
    send(socket, { greet: greeting });
    const welcome = await connection.welcome;
    clearTimeout(impatience);
    return welcome && connection;
  }

  /** A program that forgets to leave can still end; the supervisor notices that. */
  letProcessEnd(): void {
    this.socket.unref();
  }

  /** Goes without a word, like a process that is killed. */
  hangUp(): void {
    this.socket.destroy();
  }

  /** False if the line went dead before the answer. */
  async confirmCopy(): Promise<boolean> {
    const confirmed = this.#reply((reply) => ('confirmed' in reply ? true : undefined));
    this.socket.ref();
    send(this.socket, { confirmCopy: true });
    const answer = await confirmed;
    this.socket.unref();
    return answer === true;
  }

  /** Resolves when PostgreSQL is down, or when it was left to other users. */
  async leave(): Promise<void> {
    this.socket.ref();
    send(this.socket, { leave: true });
    await this.closed;
  }

  #reply<T>(pick: (reply: Reply) => T | undefined): Promise<T | undefined> {
    return new Promise((resolve) => {
      const look = (reply: Reply) => {
        const found = pick(reply);
        if (found === undefined) return;
        this.#replies.off('reply', look);
        resolve(found);
      };
      this.#replies.on('reply', look);
      void this.closed.then(() => resolve(undefined));
    });
  }
}
