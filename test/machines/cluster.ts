import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'pg';
import { type PostgresAccount, postgresAccount } from '../../src/embedded-postgres/programs.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { inTheEnd } from '../support/in-the-end.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { Daemon } from './daemon.js';
import { addressOf, Machine } from './machine.js';

const NAMES = ['one', 'two', 'three'];

/** Ends what is left when standard input closes: also when the tests are killed. */
const CLEAN_UP = `cat
for note in "$0"/*/postgres/postmaster.pid; do
  [ -e "$note" ] && pid=$(head -1 "$note") && kill -QUIT $pid && kill -CONT $pid
done
for disk in "$0"/*/; do umount -l "$disk"; done
exec rm -rf "$0"`;

/** Three machines of PostgreSQL with one etcd, an HAProxy that finds the leader, and PgBouncer before it. */
export class Cluster {
  private constructor(
    readonly etcd: Daemon,
    readonly machines: Machine[],
    /** For the superuser of the tests, past the pooler. */
    readonly url: string,
    /** The leader's address for a role; through PgBouncer, or past it. */
    readonly urlOf: (role: string, past?: 'past the pooler') => string,
  ) {}

  static async start(): Promise<Cluster> {
    const account = await postgresAccount();
    const directory = await makeOpenDirectory('wholesale-machines-');
    const cleaner = spawn('sh', ['-c', CLEAN_UP, directory], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const daemons: Daemon[] = [];
    const daemon = (program: string, args: string[], as?: PostgresAccount) => {
      daemons.push(new Daemon(program, args, as));
      return daemons.at(-1)!;
    };
    inTheEnd(async () => {
      await Promise.all(daemons.map((each) => each.kill()));
      const gone = once(cleaner, 'close');
      cleaner.stdin!.end();
      await gone;
    });

    const etcdUrl = `http://127.0.0.1:${await freePort()}`;
    const peerUrl = `http://127.0.0.1:${await freePort()}`;
    const etcd = daemon('etcd', [
      `--data-dir=${path.join(directory, 'etcd')}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
    ]);
    await eventually(async () => (await fetch(`${etcdUrl}/health`)).ok);
    const machines: Machine[] = [];
    for (const name of NAMES) machines.push(await Machine.start(name, directory, etcdUrl, account));
    daemons.push(...machines.map(({ patroni }) => patroni));

    const [direct, pooled] = [await freePort(), await freePort()];
    await writeFile(path.join(directory, 'haproxy.cfg'), haproxyOf(machines, direct));
    daemon('haproxy', ['-db', '-f', path.join(directory, 'haproxy.cfg')]);
    const roles = ['superuser', 'wholesale_owner', 'wholesale_service'];
    await writeFile(path.join(directory, 'users.txt'), roles.map((role) => `"${role}" ""\n`).join(''));
    await writeFile(path.join(directory, 'pgbouncer.ini'), pgbouncerOf(directory, direct, pooled));
    daemon('pgbouncer', [path.join(directory, 'pgbouncer.ini')], account);
    const urlOf = (role: string, past?: string) =>
      `postgres://${role}@127.0.0.1:${past ? direct : pooled}/wholesale`;
    const cluster = new Cluster(etcd, machines, urlOf('superuser', 'past the pooler'), urlOf);
    await cluster.createDatabase(roles.slice(1));
    return cluster;
  }

  /** The machine that leads, other than this one. */
  async leader(besides?: Machine): Promise<Machine> {
    const among = this.machines.filter((machine) => machine !== besides);
    const leader = await eventually(async () => {
      const answers = await Promise.allSettled(among.map((each) => each.ask('/primary')));
      return among[answers.findIndex((answer) => answer.status === 'fulfilled' && answer.value.ok)];
    });
    return leader!;
  }

  async standby(): Promise<Machine | undefined> {
    const { members } = await (await this.leader()).read<{ members: Record<string, string>[] }>('/cluster');
    const standby = members.find(({ role }) => role === 'sync_standby');
    return this.machines.find(({ name }) => name === standby?.name);
  }

  /** Waits until two standbys stream from the leader, and etcd names one of them as synchronous. */
  async whole(): Promise<void> {
    await eventually(async () => {
      const leader = await this.leader();
      const { replication } = await leader.read<{ replication: { state: string }[] }>('/patroni');
      const streams = replication.filter(({ state }) => state === 'streaming');
      return streams.length === 2 && (await this.standby()) !== undefined;
    }).catch((error: unknown) => {
      for (const { name, patroni } of this.machines) process.stderr.write(`${name}: ${patroni.output}\n`);
      throw error;
    });
  }

  private async createDatabase(roles: string[]): Promise<void> {
    await this.whole();
    const pool = new Pool({ connectionString: this.url.replace(/wholesale$/, 'postgres') });
    await eventually(() => pool.query('SELECT'));
    for (const role of roles) await pool.query(`CREATE ROLE ${role} LOGIN`);
    await pool.query(`CREATE DATABASE wholesale OWNER ${roles[0]}`);
    await pool.end();
  }
}

const haproxyOf = (machines: Machine[], port: number) => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${machines.map(({ name, links: { postgres, balancer } }) => `  server ${name} ${addressOf(postgres)} check addr 127.0.0.1 port ${addressOf(balancer).split(':')[1]}\n`).join('')}`;

const pgbouncerOf = (directory: string, server: number, port: number) => `
[databases]
wholesale = host=127.0.0.1 port=${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${directory}/users.txt
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = 30
max_client_conn = 200
ignore_startup_parameters = extra_float_digits,options
server_login_retry = 1
`;
