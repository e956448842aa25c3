/**
 * Reads a CycloneDX list and adds missing licences. npm takes them from the lockfile, which has none for a
 * package without `license` in its package.json. Such a package has its licence in another file; it must be
 * installed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const { packages } = readJson('package-lock.json');

function licenceOf({ name, version }) {
  const [directory] = Object.entries(packages).find(
    ([path, locked]) => path.endsWith(`node_modules/${name}`) && locked.version === version,
  );
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} ${version} has no licence.`);
  const content = readFileSync(`${directory}/${file}`, 'utf8').trim();
  // An old form: "licenses": [{ "type": "MIT", "url": … }].
  const [declared] = readJson(`${directory}/package.json`).licenses ?? [];
  return { name: declared?.type ?? content.split('\n', 1)[0], text: { content } };
}

const list = JSON.parse(await text(process.stdin));
for (const component of list.components) component.licenses ??= [{ license: licenceOf(component) }];
process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
