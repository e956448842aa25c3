// Runs installed commands, one after the other, on its terminal (see terminal.ts).
import { createCli } from '../../dist/src/cli/create-cli.js';

process.on('message', async ({ args, env, mark }) => {
  const { stdin, stdout, stderr } = process;
  const exitCode = await createCli(args, { env, stdin, stdout, stderr }).main();
  stdout.write(`${mark}${exitCode};`);
});
process.send('ready');
