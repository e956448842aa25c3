import { readFileSync } from 'node:fs';
import { fingerprintOf, KeptFile } from '../../platform/http/representation.js';

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A file that is served from memory. Its address contains its hash, so browsers cache it for ever. */
class Asset {
  readonly path: string;
  private readonly immutable: KeptFile;
  private readonly current: KeptFile;

  constructor(readonly fileName: string) {
    const [stem, extension] = fileName.split('.') as [string, string];
    const bytes = readFileSync(new URL(`assets/${fileName}`, import.meta.url));
    this.path = `/assets/${stem}-${fingerprintOf(bytes)}.${extension}`;
    this.immutable = new ImmutableFile(TYPES[extension]!, bytes);
    this.current = new KeptFile(TYPES[extension]!, bytes);
  }

  /** During a rolling deploy a page may request another version. It gets this one, without caching. */
  fileAt(path: string): KeptFile {
    return path === this.path ? this.immutable : this.current;
  }
}

class ImmutableFile extends KeptFile {
  override get cacheControl(): string {
    return 'public, max-age=31536000, immutable';
  }

  override get vary(): string {
    return 'Accept-Encoding';
  }
}

/** The style sheet, the icon and the scripts of all pages. */
export const ASSETS = {
  style: new Asset('pages.css'),
  icon: new Asset('icon.svg'),
  // The order matters: refresh.js remembers the page before other scripts change it.
  scripts: [
    'refresh.js',
    'announce.js',
    'back.js',
    'choose.js',
    'confirm.js',
    'copy.js',
    'file.js',
    'filter.js',
    'fragment.js',
    'go.js',
    'keys.js',
    'menu.js',
    'once.js',
    'options.js',
    'scan.js',
    'tick.js',
  ].map((name) => new Asset(name)),
};

const ALL = [ASSETS.style, ASSETS.icon, ...ASSETS.scripts];

const WITH_HASH = /^([a-z]+)-[\w-]{20}(\.[a-z]+)$/;

export function findAsset(hashedName: string): Asset | undefined {
  const [, stem, extension] = WITH_HASH.exec(hashedName) ?? [];
  return ALL.find(({ fileName }) => fileName === `${stem}${extension}`);
}
