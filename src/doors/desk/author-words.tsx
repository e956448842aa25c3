import { ExactTime } from '../../pages/components/values.js';

const AUTHORS: Record<string, string> = {
  store: 'the store’s system',
  system: 'the service',
  gateway: 'a gateway payment',
};

/** "person 3 (asha@example.com)" acts by the e-mail address. */
export function authorName(actor: string): string {
  const email = /^person \d+ \((.+)\)$/.exec(actor)?.[1];
  return email ?? AUTHORS[actor] ?? actor;
}

export const authorWords = (actor: string) => `by ${authorName(actor)}`;

/** When it was done, and by whom. */
export const DoneBy = ({ at, by }: { at: Date; by: string | null }) => (
  <>
    <ExactTime at={at} /> {by !== null && authorWords(by)}
  </>
);
