// Runs installed commands in the folder where it was started (see command-server.ts).
import { once } from 'node:events';
import { createServer } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createCli } from '../../dist/src/cli/create-cli.js';

const server = createServer({ allowHalfOpen: true }, async (socket) => {
  let asked = '';
  socket.setEncoding('utf8').on('data', (piece) => (asked += piece));
  await once(socket, 'end');
  const { args, env } = JSON.parse(asked);
  const [stdin, stdout, stderr] = [Readable.from([]), new PassThrough(), new PassThrough()];
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await createCli(args, { env, stdin, stdout, stderr }).main();
  stdout.end();
  stderr.end();
  const [output, errors] = await outputs;
  socket.end(JSON.stringify({ exitCode, output, errors }));
});
server.listen(process.argv[2], () => process.send('ready'));
