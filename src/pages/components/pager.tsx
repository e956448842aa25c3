import { Icon } from './icon.js';

interface Props {
  /** The address of what comes after this part of the list. */
  older: string | undefined;
  /** Back to where the list begins; nobody is there yet without it. */
  newest: string | undefined;
  /** What the two are called in a list that is not in the order of time. */
  words?: { newest: string; older: string };
}

/** Through a list by where it goes on, which costs the same on every page. The browser's own way leads back by one. */
export const Pager = ({ older, newest, words = { newest: 'Newest', older: 'Older' } }: Props) =>
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
