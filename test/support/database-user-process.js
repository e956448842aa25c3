// A process that uses the embedded PostgreSQL, like the service and its commands (see database-user.ts).
import { attachEmbeddedDatabase } from '../../dist/src/embedded-postgres/embedded-postgres.js';

const log = [];
let claimed;

try {
  const database = await attachEmbeddedDatabase(process.argv[2], (line) => log.push(line));
  const facts = async () => {
    const { url, directory, created, isCopy } = database;
    return { url, directory, created, isCopy, claimed, serverPid: await database.serverPid(), log };
  };
  const commands = {
    facts: async () => undefined,
    claim: async () => (claimed = await database.claim(1)),
    confirmCopy: () => database.confirmCopy(),
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
