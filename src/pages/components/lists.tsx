import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

interface PagerProps {
  /** The address of the next part. */
  older: string | undefined;
  /** The address of the first part; undefined on the first part. */
  newest: string | undefined;
  /** Other link texts, for a list that is not sorted by time. */
  words?: { newest: string; older: string };
}

/** Links through a list paged by key, so each page costs the same. The browser's Back goes one page back. */
export const Pager = ({ older, newest, words = { newest: 'Newest', older: 'Older' } }: PagerProps) =>
  older === undefined && newest === undefined ? null : (
    <nav class="pager" aria-label="Pages of the list">
      {newest === undefined ? (
        <span />
      ) : (
        <a class="button plain" href={newest}>
          <Icon name="left" />
          {words.newest}
        </a>
      )}
      {older !== undefined && (
        <a class="button plain" href={older} rel="next">
          {words.older}
          <Icon name="right" />
        </a>
      )}
    </nav>
  );

export interface Tab {
  href: string;
  text: string;
  current: boolean;
  count?: number;
}

/** Links to the views of one list. */
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

interface SearchProps {
  action: string;
  name: string;
  label: string;
  value: string | undefined;
  placeholder?: string;
  maxlength?: number;
  /** Parameters that a search keeps, such as the chosen tab. */
  hidden?: Readonly<Record<string, string>>;
  /** Further fields. */
  children?: ComponentChildren;
}

export const SearchForm = ({ action, label, hidden = {}, children, ...input }: SearchProps) => (
  <form class="search" role="search" action={action}>
    {Object.entries(hidden).map(([key, kept]) => (
      <input type="hidden" name={key} value={kept} />
    ))}
    <input type="search" aria-label={label} {...input} />
    {children}
    <button class="button plain">
      <Icon name="search" />
      <span>Search</span>
    </button>
  </form>
);
