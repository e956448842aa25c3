import { chown, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { load } from 'js-yaml';
import { type PostgresAccount, run } from '../../src/server/embedded-postgres/programs.js';
import { runningServer } from '../../src/server/embedded-postgres/server.js';
import { debianPostgres } from '../support/debian-postgres.js';
import { freePort } from '../support/free-port.js';
import { atSuiteEnd } from '../support/suite-end.js';
import { postgresProcesses, signalAll } from '../support/postgres-processes.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { Daemon } from './daemon.js';

const DISK = '1g';

interface Documented {
  bootstrap: { dcs: { postgresql: object }; initdb: unknown[] };
}

/** As documented, without an archive and with less memory. */
function bootstrapOf(document: string): object {
  const { bootstrap } = load(document) as Documented;
  const postgresql = { use_pg_rewind: true, use_slots: true, parameters: { wal_sender_timeout: '10s' } };
  return { initdb: bootstrap.initdb, dcs: { ...bootstrap.dcs, postgresql } };
}

/**
 * One machine of the database: Patroni with its PostgreSQL. All that it says and hears goes through proxies, so
 * that the network can be cut.
 */
export class Machine {
  private constructor(
    readonly name: string,
    readonly directory: string,
    readonly hasDisk: boolean,
    readonly patroni: Daemon,
    readonly watch: Daemon,
    /** Without the proxies. */
    private readonly rest: string,
    readonly links: { etcd: TcpProxy; postgres: TcpProxy; peers: TcpProxy; balancer: TcpProxy },
  ) {}

  static async start(
    name: string,
    parent: string,
    etcd: string,
    account: PostgresAccount | undefined,
  ): Promise<Machine> {
    const directory = path.join(parent, name);
    await mkdir(directory);
    // A disk of its own, which can be full. A container often forbids it, even to root.
    const options = ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`];
    const hasDisk = (await run('mount', [...options, 'tmpfs', directory])).code === 0;
    if (account) await chown(directory, account.uid, account.gid);
    const [postgresPort, restPort] = [await freePort(), await freePort()];
    const at = (port: number) => TcpProxy.before(`http://127.0.0.1:${port}`);
    const links = {
      etcd: await TcpProxy.before(etcd),
      postgres: await at(postgresPort),
      peers: await at(restPort),
      balancer: await at(restPort),
    };
    atSuiteEnd(() => Promise.all(Object.values(links).map((link) => link.close())));
    const settings = {
      scope: 'wholesale',
      name,
      restapi: { listen: `127.0.0.1:${restPort}`, connect_address: addressOf(links.peers) },
      etcd3: { hosts: [addressOf(links.etcd)], use_proxies: true },
      bootstrap: bootstrapOf(await readFile('docs/machines/patroni.yml', 'utf8')),
      postgresql: {
        listen: `127.0.0.1:${postgresPort}`,
        connect_address: addressOf(links.postgres),
        data_dir: path.join(directory, 'postgres'),
        bin_dir: debianPostgres(),
        pgpass: path.join(directory, 'pgpass'),
        authentication: {
          superuser: { username: 'superuser', password: 'unused' },
          replication: { username: 'replication', password: 'unused' },
        },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        parameters: { unix_socket_directories: '' },
      },
    };
    const file = path.join(parent, `${name}.yml`);
    await writeFile(file, JSON.stringify(settings));
    const patroni = new Daemon('patroni', [file], account);
    const program = path.join(parent, `${name}-watch.py`);
    await copyFile('docs/machines/leader-watch.py', program);
    const watch = new Daemon('/usr/bin/env', ['python3', program, name, addressOf(links.etcd)], account);
    return new Machine(name, directory, hasDisk, patroni, watch, `http://127.0.0.1:${restPort}`, links);
  }

  ask(address: string, init: RequestInit = { signal: AbortSignal.timeout(2_000) }): Promise<Response> {
    return fetch(`${this.rest}${address}`, init);
  }

  async read<Answer>(address: string): Promise<Answer> {
    return (await (await this.ask(address)).json()) as Answer;
  }

  /** Kills Patroni first, or it would start PostgreSQL again. */
  async kill(): Promise<void> {
    await Promise.all([this.watch.kill(), this.patroni.kill()]);
    const server = await runningServer(path.join(this.directory, 'postgres'));
    if (server) signalAll(postgresProcesses(server), 'SIGKILL');
  }

  startAgain(): void {
    this.patroni.start();
    this.watch.start();
  }

  /** Stops every process. Returns a function that lets them go on. */
  async freeze(): Promise<() => void> {
    const server = await runningServer(path.join(this.directory, 'postgres'));
    const processes = [this.watch.pid, this.patroni.pid, ...postgresProcesses(server!)];
    signalAll(processes, 'SIGSTOP');
    return () => signalAll(processes, 'SIGCONT');
  }
}

export function addressOf(link: TcpProxy): string {
  return new URL(link.url).host;
}
