import { readChecked, writeChecked } from '../../platform/validation/checked-text.js';

const ID_BYTES = 4;
const KIND = 'cursor';

/** The end of a page: the id of its last product. */
export function writeCursor(lastId: number): string {
  const id = Buffer.alloc(ID_BYTES);
  id.writeInt32BE(lastId);
  return writeChecked(id, KIND);
}

/** `undefined` for a text that is no cursor. */
export function readCursor(text: string): number | undefined {
  const id = readChecked(text, KIND);
  return id?.length === ID_BYTES ? id.readInt32BE() : undefined;
}
