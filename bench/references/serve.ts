import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';

export function serve(listener: RequestListener): void {
  createServer(listener).listen(Number(process.env.PORT), process.env.HOST);
}

/** Answers with the JSON of each request's work. An error ends the process, so the row fails. */
export function serveJson(status: number, work: (url: string, body: string) => Promise<object>): void {
  serve((request: IncomingMessage, response) => {
    if (request.method === 'HEAD') return void response.end();
    void text(request)
      .then((body) => work(request.url!, body))
      .then((answer) => {
        const json = JSON.stringify({ success: true, ...answer });
        const type = { 'Content-Type': 'application/json; charset=utf-8' };
        response.writeHead(status, { ...type, 'Content-Length': Buffer.byteLength(json) }).end(json);
      });
  });
}
