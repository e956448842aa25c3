#!/usr/bin/env node
import { createCli } from './doors/cli/create-cli.js';

// Whoever reads the answer may have seen enough of it, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await createCli(process.argv.slice(2)).main();
