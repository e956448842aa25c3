#!/usr/bin/env node
import { createCli } from './cli/create-cli.js';

// The code that writes gets the error too.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await createCli(process.argv.slice(2)).main();
