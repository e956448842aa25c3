import sax, { type Tag } from 'sax';
import { unreadableWorkbook } from './unreadable-workbook.js';

export interface XmlVisitor {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Tells a visitor what it comes past, piece by piece: whoever iterates can take what has come together so far. Names are without their
 * prefixes. A document type is refused: workbooks have none, and entities that expand into one another begin there.
 */
export async function* walkXml(pieces: AsyncIterable<string>, visitor: XmlVisitor): AsyncGenerator<number> {
  let fault: Error | undefined;
  const tellText = (text: string) => visitor.text?.(text);
  // The parser knows no listeners, but has a place for each of these.
  const parser = Object.assign(sax.parser(true, { position: false }), {
    onerror: (error: Error) => (fault ??= error),
    ondoctype: () => (fault ??= new Error('it has a document type')),
    onopentag: (tag: Pick<Tag, 'name'>) => visitor.open?.(localName(tag.name), (tag as Tag).attributes),
    onclosetag: (name: string) => visitor.close?.(localName(name)),
    ontext: tellText,
    oncdata: tellText,
  });
  const check = () => {
    if (fault !== undefined) throw unreadableWorkbook(fault.message.split('\n', 1)[0]!, fault);
  };
  for await (const piece of pieces) {
    parser.write(piece);
    check();
    yield piece.length;
  }
  parser.close();
  check();
}

/** For a document that is small, or of which only a little is kept. */
export async function readXml(pieces: AsyncIterable<string>, visitor: XmlVisitor): Promise<void> {
  for await (const _ of walkXml(pieces, visitor));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
