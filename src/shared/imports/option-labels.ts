/** The labels of import options on pages. Commands have flags. */
export const OPTION_WORDS = {
  force: 'Accept unusual values',
  updateOnly: 'Create nothing',
  overwrite: 'Overwrite newer values',
  oldSlips: 'Confirm old slips',
} as const;

const choose = (option: keyof typeof OPTION_WORDS) => `choose “${OPTION_WORDS[option]}”`;

/** The advice in reasons of refused rows, with the flags of the commands. */
const ADVICE: readonly [flags: string, words: string][] = [
  ['add --accept-new or --force', choose('force')],
  ['add --max-change or --force', choose('force')],
  ['add --force', choose('force')],
  ['add --overwrite', choose('overwrite')],
  ['--update-only creates none', `“${OPTION_WORDS.updateOnly}” is chosen`],
];

/** Replaces the flags in a reason by the labels of the page. */
export const inWords = (message: string): string =>
  ADVICE.reduce((told, [flags, words]) => told.replace(flags, words), message);
