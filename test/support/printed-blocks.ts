import { readFileSync } from 'node:fs';

export interface PrintedBlock {
  /** The language on the line of the fence, such as `sh`. */
  language: string;
  /** The file name on the line before the block, if there is one. */
  file: string | undefined;
  text: string;
}

/** Returns the code blocks of one section, from its heading to the next heading of the same level. */
export function printedBlocks(document: string, heading: string): PrintedBlock[] {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');
  const depth = /^#+/.exec(heading)![0];
  const section = `\n${text}`.split(`\n${heading}\n`)[1];
  if (section === undefined) throw new Error(`${document} has no section "${heading}"`);
  const [own] = section.split(new RegExp(`^(?=${depth === '#' ? '##' : depth} )`, 'm'));
  return [...own!.matchAll(/(?:^`([\w.]+)`\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, file, language, block]) => ({ file, language: language!, text: block! }),
  );
}
