import { Icon } from './icon.js';

/** Copies the field or the text with this id. It is there only where scripts are, and told when it is done. */
export const CopyButton = ({ of }: { of: string }) => (
  <>
    <button type="button" class="button plain" data-copies={of} hidden>
      <Icon name="copy" />
      <span>Copy</span>
    </button>
    <span class="unseen" role="status" />
  </>
);
