import { StateLabel } from '../../../pages/components/values.js';

/** How a request was answered: done, the store's fault, or ours. */
export const OutcomeLabel = ({ status }: { status: number }) => {
  if (status < 400) return <StateLabel kind="accent">{status}</StateLabel>;
  return <StateLabel kind={status < 500 ? 'warn' : 'bad'}>{status}</StateLabel>;
};
