import { finding, type Finding, micros, type Row } from '../finding.js';
import { compare } from '../load/compare.js';
import { type Load, unchanged } from '../load/loads.js';
import { POLLS, pollsOf } from '../load/polls.js';
import { compareBuilds } from './other-build.js';

const AIM_AGAINST_NEST = 1.5;

/** An account costs at most as much as this number of stock checks. */
const MAX_CHECKS = 3;

/** What a server sends for the first request of a load. */
function answerTo({ requests: [request] }: Load, { url }: { url: string }): Record<string, string> {
  return { URL: url + request!.path, HEADERS: JSON.stringify(request!.headers) };
}

/** The polls beside what Node can send, and what Nest on Express can. */
export const polledReads: Row = {
  id: 'reads',
  async measure(bench) {
    const database = await bench.database(10_000);
    const findings: Finding[] = [];
    const costs: number[] = [];
    for (const { work, aim, loadOf, isUnchanged, select } of POLLS) {
      const server = await bench.service(database);
      const load = await loadOf(database, server);
      const loadFor = (contender: { url: string }) => (isUnchanged ? unchanged(load, contender) : load);
      const ours = { server, load: await loadFor(server) };
      const sql: Record<string, string> = select ? { SELECT: select, DATABASE_URL: database.url } : {};
      const compareTo = async (script: string, answer: Record<string, string>) => {
        const other = await bench.reference(script, { ...answer, ...sql });
        return compare(bench, ours, { server: other, load: await loadFor(other) });
      };
      const bare = select
        ? finding(work, await compareTo('by-select', {}), 'one prepared SELECT behind node:http', 'rate', aim)
        : finding(
            work,
            await compareTo('bare-http', answerTo(ours.load, server)),
            'bare node:http',
            'cost',
            aim,
          );
      const nest = await compareTo('plain-nest', answerTo(load, server));
      costs.push(nest.ours.cost);
      findings.push(bare, finding(work, nest, 'plain Nest', 'cost', AIM_AGAINST_NEST));
      await bench.stopServers();
    }
    const [check, account] = [costs[0]!, costs.at(-1)!];
    findings.push({
      work: 'account',
      measured: micros(account),
      against: `stock check: ${micros(check)}`,
      ratio: account / check,
      aim: `≤ ${MAX_CHECKS}`,
      reached: account <= MAX_CHECKS * check,
    });
    return bench.options.against === undefined
      ? findings
      : [...findings, ...(await compareBuilds(bench, pollsOf))];
  },
};
