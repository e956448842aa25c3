import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

interface Props {
  action: string;
  name: string;
  label: string;
  value: string | undefined;
  placeholder?: string;
  maxlength?: number;
  /** Kept while searching: the filter that is chosen. */
  hidden?: Readonly<Record<string, string>>;
  /** Further fields. */
  children?: ComponentChildren;
}

export const SearchForm = ({ action, label, hidden = {}, children, ...input }: Props) => (
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
