import type { ComponentChildren } from 'preact';
import { ASSETS } from './assets.js';

interface Props {
  title: string;
  refreshSeconds: number | undefined;
  scripts: boolean;
  children: ComponentChildren;
}

/** The scripts come with every page, so that no page can forget the one that it needs: a browser fetches them once. */
export const Document = ({ title, refreshSeconds, scripts, children }: Props) => (
  <html lang="en" data-refresh={scripts ? refreshSeconds : undefined}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      {refreshSeconds !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={String(refreshSeconds)} />
        </noscript>
      )}
      <title>{title}</title>
      <link rel="icon" href={ASSETS.icon.path} type="image/svg+xml" />
      <link rel="stylesheet" href={ASSETS.style.path} />
      {scripts && ASSETS.scripts.map(({ path }) => <script type="module" src={path} />)}
    </head>
    {children}
  </html>
);
