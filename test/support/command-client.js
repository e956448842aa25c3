// Passes a command of a shell to the command server, which has loaded the product already (see
// command-server.ts).
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const [address, ...args] = process.argv.slice(2);
const socket = connect(address);
socket.end(JSON.stringify({ args, env: process.env }));
const { exitCode, output, errors } = JSON.parse(await text(socket));
process.stdout.write(output);
process.stderr.write(errors);
process.exitCode = exitCode;
