import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SupervisedDatabase } from './supervised-database.js';
import { SupervisorConnection } from './supervisor-connection.js';
import { claim, readSupervisorFile, removeSupervisorFile, type SupervisorFile } from './supervisor-file.js';
import { Users } from './supervisor-users.js';

/** Time to come back for a user that was killed and is started again, and for the first one to come at all. */
const GRACE = 2_000;
const FIRST_GRACE = 10_000;

/**
 * Keeps PostgreSQL running for as long as anybody is connected. A user's connection ends with its process, however that
 * ends, so nobody has to be asked whether they are still there.
 */
export async function supervise(dataDir: string): Promise<void> {
  const sockets = createServer();
  sockets.listen(0, '127.0.0.1');
  await once(sockets, 'listening');
  const file = {
    pid: process.pid,
    port: (sockets.address() as AddressInfo).port,
    secret: randomBytes(24).toString('base64url'),
  };
  const users = new Users(file.secret, dataDir, GRACE, FIRST_GRACE);
  // Before anybody can know of the port: a connection that nobody listens for yet would be lost, and wait in vain.
  sockets.on('connection', (socket: Socket) => users.receive(socket));
  if (!(await takeOver(dataDir, file))) {
    users.hurry();
    return void sockets.close();
  }

  const isOurs = async () => (await readSupervisorFile(dataDir))?.secret === file.secret;
  const database = SupervisedDatabase.open(dataDir, (line) => users.log(line), isOurs);
  database.then(
    (opened) => users.serve(opened),
    (error: Error) => users.refuse(error),
  );
  // A signal to everything at once (systemd, a shutdown) must not stop PostgreSQL before the last order is written.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => users.hurry());

  await users.gone;
  await removeSupervisorFile(dataDir, file);
  sockets.close();
  const [opened] = await Promise.allSettled([database]);
  if (opened.status === 'fulfilled') await opened.value.stop();
  users.dismiss();
}

/** False if another supervisor looks after this DATA_DIR. What a dead one left, or a copy brought along, is removed. */
async function takeOver(dataDir: string, mine: SupervisorFile): Promise<boolean> {
  while (!(await claim(dataDir, mine))) {
    const other = await readSupervisorFile(dataDir);
    if (!other) continue;
    if (await SupervisorConnection.isThere(other, dataDir)) return false;
    await removeSupervisorFile(dataDir, other);
  }
  return true;
}
