import { readdirSync, readFileSync } from 'node:fs';

/** Prettier leaves comments, strings and SQL as they are. In the source they end at its width, too. Imports of one name may be longer. */
const { printWidth } = JSON.parse(readFileSync('.prettierrc.json', 'utf8'));

const long = readdirSync('src', { recursive: true })
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) =>
    readFileSync(`src/${file}`, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        line.length > printWidth && !line.startsWith('import ') ? [`src/${file}:${at + 1}`] : [],
      ),
  );
if (long.length > 0) {
  process.stderr.write(`Lines of more than ${printWidth} columns:\n${long.join('\n')}\n`);
  process.exit(1);
}
