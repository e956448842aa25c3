export interface Tab {
  href: string;
  text: string;
  current: boolean;
  count?: number;
}

/** A list under several points of view: links, of which one is where we are. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ href, text, current, count }) => (
      <a href={href} aria-current={current ? 'page' : undefined}>
        {text}
        {count !== undefined && <span class="count">{count.toLocaleString('en-IN')}</span>}
      </a>
    ))}
  </nav>
);
