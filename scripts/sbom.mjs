/**
 * Prints the CycloneDX list of the packages that a release installs, each with its licence. npm takes licences
 * from the lockfile, which has none for a package without `license` in its package.json. Such a package has its
 * licence in another file; it must be installed.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const { name, packages } = readJson('package-lock.json');

/** The folders by package. npm's own `--omit=dev` leaves out what tools need too, such as Express. */
const installed = new Map(
  Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version }]) => [`${path.split('node_modules/').at(-1)}@${version}`, path]),
);

function licenceOf(directory) {
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${directory} has no licence.`);
  const content = readFileSync(`${directory}/${file}`, 'utf8').trim();
  // An old form: "licenses": [{ "type": "MIT", "url": … }].
  const [declared] = readJson(`${directory}/package.json`).licenses ?? [];
  return { name: declared?.type ?? content.split('\n', 1)[0], text: { content } };
}

const list = JSON.parse(
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], { maxBuffer: 1e8 }),
);
const root = list.metadata.component;
// npm takes the name of the folder.
root.name = name;
list.components = list.components.filter((component) => installed.has(component['bom-ref']));
for (const component of list.components)
  component.licenses ??= [{ license: licenceOf(installed.get(component['bom-ref'])) }];
const listed = new Set([root, ...list.components].map((component) => component['bom-ref']));
list.dependencies = list.dependencies
  .filter(({ ref }) => listed.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => listed.has(other)) }));
process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
