// A process that uses the embedded PostgreSQL, like the service and its commands (see database-user.ts).
import { attachEmbeddedDatabase } from '../../dist/src/server/embedded-postgres/embedded-postgres.js';
import { runningServer } from '../../dist/src/server/embedded-postgres/server.js';

const log = [];

try {
  const database = await attachEmbeddedDatabase(process.argv[2], {
    log: (line) => log.push(line),
    isService: process.argv[3] === 'service',
  });
  const facts = async () => {
    const { url, directory } = database;
    return { url, directory, serverPid: await runningServer(directory), log };
  };
  const commands = {
    facts: async () => undefined,
    detach: () => database.detach(),
  };
  process.on('message', async (command) => {
    await commands[command]();
    process.send(await facts());
    if (command === 'detach') process.disconnect();
  });
  process.send(await facts());
} catch (error) {
  process.send({ error: String(error) });
  process.disconnect();
}
