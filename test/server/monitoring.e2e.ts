import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { freePort } from '../support/free-port.js';
import { setUpDatabase } from '../support/suite-database.js';
import { ServiceProcess } from '../support/service-process.js';

interface AlertRule {
  alert: string;
  expr: string;
  annotations: { runbook?: string };
}
interface Panel {
  title: string;
  targets: { expr: string }[];
}

const read = (path: string) => readFileSync(path, 'utf8');
const { groups } = load(read('docs/alerts.yml')) as { groups: { rules: AlertRule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('docs/grafana.json')) as { panels: Panel[] };

/** The metrics of other programs, and words of the language. */
const NOT_OURS = /^(up|patroni_\w+|node_(filesystem|systemd)_\w+|probe_\w+|and|or|unless|offset)$/;

const GROUPING = /\b(by|without)\s*\([^)]*\)/g;
const METRIC = /\b([a-z][a-z0-9_]*)\b(?!\s*\()(?:\{([^}]*)\})?/g;
const LABEL = /(\w+)="([^"]*)"/g;

/** The names of metrics in an expression, each with its labels, that the service does not expose. */
function unknownIn(expression: string, exposed: string[]): string[] {
  return [...expression.replace(GROUPING, '').matchAll(METRIC)]
    .filter(([, name]) => !NOT_OURS.test(name!))
    .filter(([, name, selector = '']) => {
      const labels = [...selector.matchAll(LABEL)]
        .filter(([, label]) => label !== 'job' && label !== 'status')
        // Prometheus gives each series a job of its own, and renames the label of that name.
        .map(([, label, value]) => `${label!.replace('exported_', '')}="${value}"`);
      return !exposed.some(
        (line) => /^\w+/.exec(line)?.[0] === name && labels.every((label) => line.includes(label)),
      );
    })
    .map(([found]) => found);
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');

describe('Alerts and dashboard', () => {
  const database = setUpDatabase();
  let exposed: string[];

  beforeAll(async () => {
    const port = String(await freePort());
    const environment = { DATABASE_URL: database.serviceUrl, METRICS_PORT: port };
    const service = await ServiceProcess.start(environment);
    await fetch(`${service.url}/health/ready`);
    await fetch(`${service.url}/api/orders`, { method: 'POST' });
    exposed = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n');
  });
  it('name only metrics and labels that the service exposes', () => {
    const expressions = [
      ...rules.map(({ alert, expr }) => [alert, expr]),
      ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])),
    ];
    const unknown = expressions.map(([name, expression]) => [name, unknownIn(expression!, exposed)]);
    expect(unknown.filter(([, names]) => names!.length > 0)).toEqual([]);
  });

  it('lead to headings of the documents', () => {
    const links = rules.flatMap(({ annotations: { runbook = [] } }) => runbook);
    const broken = links.filter((link) => {
      const [path, anchor] = link.split('#');
      return ![...read(path!).matchAll(/^#+ (.*)$/gm)].some(([, heading]) => anchorOf(heading!) === anchor);
    });
    expect(broken).toEqual([]);
  });
});
