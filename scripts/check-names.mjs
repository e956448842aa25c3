/** Below api, cli and web no two files export a function or class by one name: a search for it finds one thing. */
import { readdirSync, readFileSync } from 'node:fs';

const EXPORTED = /^export (?:abstract |async )*(?:class|function\*?) (\w+)/gm;

const places = new Map();
for (const name of readdirSync('src', { recursive: true }).filter((one) => /(?<!\.spec)\.tsx?$/.test(one))) {
  if (/^(api|cli|web)\//.test(name)) continue;
  for (const [, exported] of readFileSync(`src/${name}`, 'utf8').matchAll(EXPORTED))
    places.set(exported, [...(places.get(exported) ?? []), `src/${name}`]);
}
for (const [exported, files] of places) {
  if (files.length === 1) continue;
  process.stderr.write(`${exported} is exported by ${files.join(' and ')}: give one another name.\n`);
  process.exitCode = 1;
}
