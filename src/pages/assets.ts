import { Asset } from './asset.js';

/** All that pages load besides themselves. */
export const ASSETS = {
  style: new Asset('pages.css'),
  icon: new Asset('icon.svg'),
  // In the order in which they run: what looks whether the page has changed knows it before others change it.
  scripts: [
    'refresh.js',
    'announce.js',
    'choose.js',
    'confirm.js',
    'copy.js',
    'fragment.js',
    'go.js',
    'keys.js',
    'menu.js',
    'once.js',
  ].map((name) => new Asset(name)),
};

const ALL = [ASSETS.style, ASSETS.icon, ...ASSETS.scripts];

const WITH_HASH = /^([a-z]+)-[\w-]{20}(\.[a-z]+)$/;

export function assetCalled(hashedName: string): Asset | undefined {
  const [, stem, extension] = WITH_HASH.exec(hashedName) ?? [];
  return ALL.find(({ fileName }) => fileName === `${stem}${extension}`);
}
