import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'pg';
import { type PostgresAccount, postgresAccount } from '../../src/server/embedded-postgres/programs.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { atSuiteEnd } from '../support/suite-end.js';
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
    atSuiteEnd(async () => {
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
    daemons.push(...machines.flatMap(({ patroni, watch }) => [patroni, watch]));

    const [direct, pooled] = [await freePort(), await freePort()];
    await writeFile(path.join(directory, 'haproxy.cfg'), await haproxyOf(machines, direct));
    daemon('haproxy', ['-db', '-f', path.join(directory, 'haproxy.cfg')]);
    const roles = ['superuser', 'wholesale_owner', 'wholesale_service'];
    await writeFile(path.join(directory, 'users.txt'), roles.map((role) => `"${role}" ""\n`).join(''));
    await writeFile(path.join(directory, 'pgbouncer.ini'), await pgbouncerOf(directory, direct, pooled));
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

/** The documented file, with the ports of this cluster. Throws if the file no longer has such a line. */
async function adapted(file: string, changes: [RegExp, string][]): Promise<string> {
  let text = await readFile(path.join('docs/machines', file), 'utf8');
  for (const [line, own] of changes) {
    if (!line.test(text)) throw new Error(`${file} has no ${line}`);
    text = text.replace(line, own);
  }
  return text;
}

const haproxyOf = (machines: Machine[], port: number) =>
  adapted('haproxy.cfg', [
    [/bind .*/, `bind 127.0.0.1:${port}`],
    [/check port 8008/, 'check'],
    ...machines.map(({ links: { postgres, balancer } }, n): [RegExp, string] => [
      new RegExp(`m${n + 1}:5432`),
      `${addressOf(postgres)} port ${new URL(balancer.url).port}`,
    ]),
  ]);

const pgbouncerOf = (directory: string, server: number, port: number) =>
  adapted('pgbouncer.ini', [
    [/port=5000/, `port=${server}`],
    [/listen_port = 6432/, `listen_port = ${port}\nunix_socket_dir =`],
    [/scram-sha-256/, 'trust'],
    [/\/etc\/pgbouncer\/userlist.txt/, path.join(directory, 'users.txt')],
  ]);
