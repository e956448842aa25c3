import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { atSuiteEnd } from './suite-end.js';

const CHECK_EVERY_MS = 200;

/** A load balancer: it asks the nodes for readiness, takes turns, keeps connections and repeats nothing. */
export class Balancer {
  /** Requests without an answer from a node. */
  failures: string[] = [];
  private ready: string[] = [];
  private turn = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  readonly close = atSuiteEnd(() => {
    this.server.close();
    this.server.closeAllConnections();
    this.agent.destroy();
  });

  private constructor(private readonly nodes: () => string[]) {
    this.server = createServer(
      // Like real ones: a caller must not meet a connection that is just being closed.
      { keepAliveTimeout: 65_000 },
      (incoming, outgoing) => this.forward(incoming, outgoing),
    );
  }

  static async before(nodes: () => string[]): Promise<Balancer> {
    const balancer = new Balancer(nodes);
    await balancer.check();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    void balancer.watch();
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  isReady(node: string): boolean {
    return this.ready.includes(node);
  }

  private async watch(): Promise<void> {
    for (; this.server.listening; await pause(CHECK_EVERY_MS)) await this.check();
  }

  private async check(): Promise<void> {
    const nodes = this.nodes();
    const answers = await Promise.allSettled(nodes.map((node) => fetch(`${node}/health/serving`)));
    this.ready = nodes.filter((_, index) => {
      const answer = answers[index]!;
      return answer.status === 'fulfilled' && answer.value.ok;
    });
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const node = this.ready[this.turn++ % this.ready.length];
    if (!node) return this.fail(outgoing, 'no node is ready');
    const { method, headers, url } = incoming;
    const onward = request(`${node}${url}`, { method, headers, agent: this.agent }, (answer) => {
      const { connection: _, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode!, others);
      answer.pipe(outgoing);
    });
    onward.on('error', (error) => this.fail(outgoing, `${method} ${url}: ${error.message}`));
    incoming.pipe(onward);
  }

  private fail(outgoing: ServerResponse, reason: string): void {
    this.failures.push(reason);
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  }
}
