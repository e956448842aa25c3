import { createCli } from '../../cli/create-cli.js';

// The reader may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  void endEarly();
});

async function endEarly(): Promise<void> {
  const { detachAll } = await import('../embedded-postgres/embedded-postgres.js');
  await detachAll();
  process.exit();
}

async function command(): Promise<void> {
  process.exitCode = await createCli(process.argv.slice(2)).main();
}

void command();
