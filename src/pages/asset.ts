import { readFileSync } from 'node:fs';
import { KeptFile } from '../platform/http/kept-file.js';
import { fingerprintOf } from '../platform/http/representation.js';

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A file of the kit, sent from memory. Its address names its content, so who has it need never ask again. */
export class Asset {
  readonly path: string;
  private readonly lasting: KeptFile;
  private readonly current: KeptFile;

  constructor(readonly fileName: string) {
    const [stem, extension] = fileName.split('.') as [string, string];
    const bytes = readFileSync(new URL(`assets/${fileName}`, import.meta.url));
    this.path = `/assets/${stem}-${fingerprintOf(bytes)}.${extension}`;
    this.lasting = new LastingFile(TYPES[extension]!, bytes);
    this.current = new KeptFile(TYPES[extension]!, bytes);
  }

  /** A page of a node of another version asks for another content. It gets what there is here, and may not keep it. */
  fileAt(path: string): KeptFile {
    return path === this.path ? this.lasting : this.current;
  }
}

class LastingFile extends KeptFile {
  override get cacheControl(): string {
    return 'public, max-age=31536000, immutable';
  }

  override get vary(): string {
    return 'Accept-Encoding';
  }
}
