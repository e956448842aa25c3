import type { FormFields } from '../../platform/http/parse-form.js';
import { searchTextIn } from '../../shared/ui/forms.js';
import { SearchForm } from '../../shared/ui/components/lists.js';

const MAX_CODE_LENGTH = 100;

export const codeIn = (fields: FormFields): string | undefined =>
  searchTextIn(fields, 'code', MAX_CODE_LENGTH);

interface Props {
  action: string;
  label: string;
  placeholder: string;
  button: string;
  value?: string;
  hidden?: Readonly<Record<string, string>>;
  autofocus?: boolean;
}

/** For a code that is scanned or typed. */
export const CodeForm = ({ value = '', ...form }: Props) => (
  <SearchForm name="code" value={value} maxlength={MAX_CODE_LENGTH} scans {...form} />
);
