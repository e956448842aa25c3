// A process that uses the service's own PostgreSQL, as the service and its commands do (see database-user.ts).
import { attachEmbeddedDatabase } from '../../src/embedded-postgres/embedded-postgres.js';

const say = (message: object) => process.send?.(message);
const log: string[] = [];

try {
  const database = await attachEmbeddedDatabase(String(process.argv[2]), (line) => log.push(line));
  const facts = async () => {
    const { url, directory, created, isCopy, supervisorPid } = database;
    return { url, directory, created, isCopy, supervisorPid, postgresPid: await database.postgresPid(), log };
  };
  const commands: Record<string, () => Promise<void>> = {
    facts: async () => undefined,
    confirmCopy: () => database.confirmCopy(),
    detach: () => database.detach(),
  };
  process.on('message', async (command: string) => {
    await commands[command]?.();
    say(await facts());
    if (command === 'detach') process.disconnect();
  });
  say(await facts());
} catch (error) {
  say({ error: String(error) });
  process.disconnect();
}
