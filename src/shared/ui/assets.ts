import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fingerprintOf, IMMUTABLE, KeptFile } from '../../platform/http/representation.js';

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** A file that is served from memory. Its address contains its hash, so browsers cache it for ever. */
class Asset {
  readonly path: string;
  private readonly immutable: KeptFile;
  private readonly current: KeptFile;

  constructor(
    readonly fileName: string,
    bytes = readFileSync(new URL(`assets/${fileName}`, import.meta.url)),
  ) {
    const [stem, extension] = fileName.split('.') as [string, string];
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
    return IMMUTABLE;
  }

  override get vary(): string {
    return 'Accept-Encoding';
  }
}

/** A part of the font of all pages: `latin`, or `latin-ext` with the rupee sign. */
const fontPart = (fileName: string, part: string) => {
  const path = `@fontsource-variable/public-sans/files/public-sans-${part}-wght-normal.woff2`;
  return new Asset(fileName, readFileSync(createRequire(import.meta.url).resolve(path)));
};

const FONTS = [fontPart('latin.woff2', 'latin'), fontPart('latinext.woff2', 'latin-ext')] as const;

/** The style sheet names the fonts by their addresses with hashes. */
function styleWithFonts(): Asset {
  const text = readFileSync(new URL('assets/pages.css', import.meta.url), 'utf8');
  const withPaths = FONTS.reduce(
    (css, { fileName, path }) => css.replace(`url(${fileName})`, `url(${path})`),
    text,
  );
  return new Asset('pages.css', Buffer.from(withPaths));
}

/** The style sheet, the font, the icon and the scripts of all pages. */
export const ASSETS = {
  style: styleWithFonts(),
  font: FONTS[0],
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

const ALL = [ASSETS.style, ASSETS.icon, ...FONTS, ...ASSETS.scripts];

const WITH_HASH = /^([a-z]+)-[\w-]{20}(\.[a-z\d]+)$/;

export function findAsset(hashedName: string): Asset | undefined {
  const [, stem, extension] = WITH_HASH.exec(hashedName) ?? [];
  return ALL.find(({ fileName }) => fileName === `${stem}${extension}`);
}
