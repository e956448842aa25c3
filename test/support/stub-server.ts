import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { atSuiteEnd } from './suite-end.js';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (response: ServerResponse, request: Received) => unknown;

/** A server that records requests and answers as the test says. */
export class StubServer {
  readonly received: Received[] = [];
  port = 0;
  answer: Answer = (response) => response.end();
  readonly close = atSuiteEnd(async () => {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  });
  private readonly server = createServer((request, response) => void this.take(request, response));

  static async start(): Promise<StubServer> {
    const stub = new StubServer();
    stub.server.listen(0, '127.0.0.1');
    await once(stub.server, 'listening');
    stub.port = (stub.server.address() as AddressInfo).port;
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body: await text(request) };
    this.received.push(received);
    await this.answer(response, received);
  }
}
