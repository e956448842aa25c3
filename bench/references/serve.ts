import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export function serve(listener: RequestListener): void {
  createServer(listener).listen(Number(process.env.PORT), process.env.HOST);
}

/** Answers with the JSON of each request's work. An error ends the process, so the row fails. */
export function serveJson(status: number, work: (url: string, body: string) => Promise<object>): void {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const json = JSON.stringify({ success: true, ...(await work(request.url!, await text(request))) });
    const type = { 'Content-Type': 'application/json; charset=utf-8' };
    response.writeHead(status, { ...type, 'Content-Length': Buffer.byteLength(json) }).end(json);
  };
  serve((request, response) => {
    // A start asks whether it listens.
    if (request.method === 'HEAD') response.end();
    else void answer(request, response);
  });
}
