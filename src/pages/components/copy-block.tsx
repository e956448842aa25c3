import { CopyButton } from './copy-button.js';

interface Props {
  /** Of the text, which no other on the page may have. */
  id: string;
  /** What it is, for who does not see it. */
  label: string;
  /** Lines of code, or a command. */
  text: string;
}

/** What is needed elsewhere and is longer than a field. It is scrolled by keys too, so it can be gone to. */
export const CopyBlock = ({ id, label, text }: Props) => (
  <div class="copy-block">
    <pre id={id} tabIndex={0} role="group" aria-label={label}>
      {text}
    </pre>
    <CopyButton of={id} />
  </div>
);
