import { Icon } from './icon.js';

/** Copies the element with this id. `copy.js` shows the button and announces the copy. */
export const CopyButton = ({ of }: { of: string }) => (
  <>
    <button type="button" class="button plain" data-copies={of} hidden>
      <Icon name="copy" />
      <span>Copy</span>
    </button>
    <span class="unseen" role="status" />
  </>
);

interface CopyFieldProps {
  label: string;
  /** Unique on the page. */
  id: string;
  value: string;
}

/** A short text to copy. Without scripts people can select it. */
export const CopyField = ({ label, id, value }: CopyFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <span class="copy">
      <input id={id} class="code" readOnly value={value} spellcheck={false} />
      <CopyButton of={id} />
    </span>
  </div>
);

interface CopyBlockProps {
  /** Unique on the page. */
  id: string;
  /** The name for screen readers. */
  label: string;
  /** Lines of code, or a command. */
  text: string;
}

/** A longer text to copy. It takes focus so that keys can scroll it. */
export const CopyBlock = ({ id, label, text }: CopyBlockProps) => (
  <div class="copy-block">
    <pre id={id} tabIndex={0} role="group" aria-label={label}>
      {text}
    </pre>
    <CopyButton of={id} />
  </div>
);
