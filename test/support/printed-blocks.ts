import { readFileSync } from 'node:fs';

export interface PrintedBlock {
  /** Whatever stands on the line of its fence, such as `sh`. */
  language: string;
  /** The name of a file on the line before it, if one stands there. */
  file: string | undefined;
  text: string;
}

/** The blocks of code of one section of a document, from its heading to the next of the same depth, in their order. */
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
