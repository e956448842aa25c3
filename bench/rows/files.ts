import { Fixtures } from '../../test/support/fixtures.js';
import { signIn } from '../../test/support/sign-in.js';
import { milliseconds, type Row } from '../finding.js';
import { measure, median } from '../load/compare.js';
import { stockChecks } from '../load/loads.js';
import type { ServerProcess } from '../processes.js';

const PEOPLE = 4;
const FILES_OF_EACH = 4;
/** The stock checks of another client leave time for other work. */
const CONNECTIONS = 4;
const MAX_RATIO = 5;

/** Stock checks of one client while people of another download all their orders, against quiet ones. */
export const files: Row = {
  id: 'files',
  async measure(bench) {
    const database = await bench.database(10_000);
    const fixtures = new Fixtures(database.pool, () => Promise.resolve());
    const other = await fixtures.store({ planId: database.store.planId });
    const server = await bench.service(database);
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, () =>
        signIn({ pool: database.pool, url: server.url }, database.store.clientId),
      ),
    );
    const load = { ...stockChecks({ ...database, store: other }), connections: CONNECTIONS };
    const { rounds, seconds } = bench.pace;
    await measure(bench, { server, load }, seconds);
    const turns: { quiet: number; busy: number }[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round++) {
      const quiet = await measure(bench, { server, load }, seconds);
      const downloads = people.flatMap(({ cookie }) =>
        Array.from({ length: FILES_OF_EACH }, () => new Downloads(server, cookie)),
      );
      const busy = await measure(bench, { server, load }, seconds);
      const received = await Promise.all(downloads.map((each) => each.stop()));
      bytes += received.reduce((sum, each) => sum + each, 0);
      turns.push({ quiet: quiet.p99, busy: busy.p99 });
    }
    const ratio = median(turns.map(({ quiet, busy }) => busy / quiet));
    const of = (which: 'quiet' | 'busy') => `p99 ${milliseconds(median(turns.map((turn) => turn[which])))}`;
    return [
      {
        work: `stock checks, beside ${PEOPLE * FILES_OF_EACH} downloads of another client's orders`,
        measured: `${of('busy')}; ${Math.round(bytes / 1e6)} MB`,
        against: `without downloads: ${of('quiet')}`,
        ratio,
        aim: `≤ ${MAX_RATIO}`,
        reached: ratio <= MAX_RATIO,
      },
    ];
  },
};

/** One file after the other, as fast as the service gives them. */
class Downloads {
  private readonly leaving = new AbortController();
  private bytes = 0;
  private readonly over: Promise<void>;

  constructor({ url }: ServerProcess, cookie: string) {
    this.over = this.run(`${url}/dashboard/orders.csv`, cookie).catch((error: unknown) => {
      if (!this.leaving.signal.aborted) throw error;
    });
  }

  /** Returns the bytes of files that came. */
  async stop(): Promise<number> {
    this.leaving.abort();
    await this.over;
    return this.bytes;
  }

  private async run(url: string, cookie: string): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      const answer = await fetch(url, { headers: { Cookie: cookie }, signal });
      for await (const part of answer.body!) if (answer.ok) this.bytes += (part as Uint8Array).length;
      // A full queue asks for a minute. Nobody asks more often than once a second.
      if (!answer.ok) await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}
