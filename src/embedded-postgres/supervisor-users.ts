import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { SupervisedDatabase } from './supervised-database.js';
import { type Greeting, onMessage, type Request, send } from './supervisor-messages.js';

/** How long a connection may take to say who it is. */
const GREETING_TIME = 5_000;

/** How many may be about to say it. Ours do so at once, so whoever has been silent for longest is none of ours. */
export const MOST_STRANGERS = 500;

/** Everybody who uses the database, and who of them is still there. */
export class Users {
  /** Connected, but nobody knows who they are; in the order in which they came. */
  readonly #strangers = new Set<Socket>();
  readonly #present = new Set<Socket>();
  /** Left as the last ones, and wait until PostgreSQL is down. */
  readonly #waiting = new Set<Socket>();
  readonly #said: string[] = [];
  readonly gone: Promise<void>;
  #database?: SupervisedDatabase;
  #failure?: string;
  #createdTold = false;
  /** What was said while it started, to somebody at least: whoever started us may come when that is over. */
  #saidTold = false;
  #over = false;
  #timer: NodeJS.Timeout;
  #end!: () => void;

  /** `grace` is the time to come back for a user that was killed, `firstGrace` the time for the first one to come. */
  constructor(
    private readonly secret: string,
    private readonly dataDir: string,
    private grace: number,
    firstGrace: number,
  ) {
    this.gone = new Promise((resolve) => {
      this.#end = () => {
        this.#over = true;
        resolve();
      };
    });
    this.#timer = setTimeout(this.#end, firstGrace);
  }

  receive(socket: Socket): void {
    this.#admit(socket);
    const silence = setTimeout(() => socket.destroy(), GREETING_TIME);
    socket.once('close', () => {
      clearTimeout(silence);
      this.#strangers.delete(socket);
      this.#waiting.delete(socket);
      if (this.#present.delete(socket)) this.#endIfEmpty(this.grace);
    });
    onMessage<Request>(socket, (request) => {
      if (this.#strangers.delete(socket)) {
        clearTimeout(silence);
        this.#welcome(socket, request);
      } else if (!this.#present.has(socket)) {
        socket.destroy();
      } else if ('leave' in request) {
        this.#leave(socket);
      } else if ('confirmCopy' in request) {
        this.#confirmCopy(socket).catch((error: Error) => this.log(error.message));
      }
    });
  }

  log(line: string): void {
    process.stdout.write(`${new Date().toISOString()} ${line}\n`);
    if (!this.#database) this.#said.push(line);
    for (const socket of this.#present) send(socket, { log: line });
  }

  serve(database: SupervisedDatabase): void {
    this.#database = database;
    for (const socket of this.#present) this.#tellOutcome(socket);
  }

  refuse(error: Error): void {
    process.stderr.write(`${error.stack}\n`);
    this.#failure = error.message;
    for (const socket of this.#present) this.#tellOutcome(socket);
    // Whoever started us may not have come yet, and is still to be told; then there is nothing left to do.
    this.grace = 0;
  }

  /** Nobody is waited for any more once the last one is gone. */
  hurry(): void {
    this.grace = 0;
    this.#endIfEmpty(0);
  }

  dismiss(): void {
    for (const socket of this.#waiting) socket.end();
  }

  #admit(socket: Socket): void {
    this.#strangers.add(socket);
    const [longestSilent] = this.#strangers;
    if (this.#strangers.size <= MOST_STRANGERS || !longestSilent) return;
    this.#strangers.delete(longestSilent);
    longestSilent.destroy();
  }

  /** Who does not greet first, and right, gets no word out of us. */
  #welcome(socket: Socket, request: Request): void {
    if (this.#over || !('greet' in request) || !this.#isOurs(request.greet)) return void socket.destroy();
    send(socket, { welcome: true });
    // What was said while it started, and whether the database is new, is for whoever stays.
    if (request.greet.onlyLooks) return void socket.end();
    clearTimeout(this.#timer);
    this.#present.add(socket);
    this.dismiss();
    if (!this.#database || !this.#saidTold) for (const line of this.#said) send(socket, { log: line });
    this.#saidTold = true;
    this.#tellOutcome(socket);
  }

  /** A copied DATA_DIR brings the address and secret of the original's supervisor along. */
  #isOurs({ secret, dataDir }: Greeting): boolean {
    const [given, wanted] = [Buffer.from(secret), Buffer.from(this.secret)];
    return given.length === wanted.length && timingSafeEqual(given, wanted) && dataDir === this.dataDir;
  }

  #tellOutcome(socket: Socket): void {
    if (this.#failure) return send(socket, { failed: this.#failure });
    if (!this.#database) return;
    const { url, directory, isCopy, created } = this.#database;
    send(socket, { ready: { url, directory, isCopy, created: created && !this.#createdTold } });
    this.#createdTold = true;
  }

  #leave(socket: Socket): void {
    this.#present.delete(socket);
    if (this.#present.size > 0) return void socket.end();
    this.#waiting.add(socket);
    this.#endIfEmpty(0);
  }

  async #confirmCopy(socket: Socket): Promise<void> {
    await this.#database?.confirmCopy();
    send(socket, { confirmed: true });
  }

  #endIfEmpty(grace: number): void {
    if (this.#present.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#end, grace);
  }
}
