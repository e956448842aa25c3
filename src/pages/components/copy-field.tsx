import { CopyButton } from './copy-button.js';

interface Props {
  label: string;
  /** Of the field, which no other on the page may have. */
  id: string;
  value: string;
}

/** A text that is needed elsewhere. Without scripts it can be marked and copied by hand. */
export const CopyField = ({ label, id, value }: Props) => (
  <div class="field">
    <label for={id}>{label}</label>
    <span class="copy">
      <input id={id} class="code" readOnly value={value} spellcheck={false} />
      <CopyButton of={id} />
    </span>
  </div>
);
