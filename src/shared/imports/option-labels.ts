/** The labels of import options that reasons name. Commands have flags. */
export const OPTION_LABELS = {
  force: 'Accept unusual values',
  updateOnly: 'Create nothing',
  overwrite: 'Overwrite newer values',
  oldSlips: 'Confirm old slips',
  newDeliveryCharge: 'Delivery charge of new products',
} as const;

const choose = (option: keyof typeof OPTION_LABELS) => `choose “${OPTION_LABELS[option]}”`;

/** The advice in reasons of refused rows, with the flags of the commands. */
const ADVICE: readonly [flags: string, words: string][] = [
  ['add --accept-new or --force', choose('force')],
  ['add --max-change or --force', choose('force')],
  ['add --force', choose('force')],
  ['add --overwrite', choose('overwrite')],
  ['add --new-delivery-charge', `fill in “${OPTION_LABELS.newDeliveryCharge}”`],
  ['--update-only creates none', `“${OPTION_LABELS.updateOnly}” is chosen`],
];

/** Replaces the flags in a reason by the parameters of the admin API: `--max-change` by `max_change`. */
export const nameParameters = (message: string): string =>
  [...ADVICE.map(([flags]) => flags), 'add --counted-at'].reduce(
    (text, flags) => text.replace(flags, flags.replaceAll('--', '').replaceAll(/(?<=\w)-(?=\w)/g, '_')),
    message,
  );

/** Replaces the flags in a reason by the labels of the page. */
export const replaceFlags = (message: string): string =>
  ADVICE.reduce((text, [flags, words]) => text.replace(flags, words), message);
