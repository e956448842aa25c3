interface ApiChanges {
  /** The day, such as "2026-11-28", or the release, such as "1.0.0 - 2026-11-28". */
  when: string;
  texts: string[];
}

/** An item of the changelog about the API, with its day if it has one. */
const ITEM = /^\*\*Store API\.\*\* (?:(\d{4}-\d\d-\d\d): )?(.+)$/;

/** The items about the API in the changelog of the service, newest first, by day. */
export function apiChanges(changelog: string): ApiChanges[] {
  const [, ...releases] = changelog.split('\n## ');
  const changes = releases.flatMap((part) => {
    const [release = ''] = part.split('\n', 1);
    const items = part.split('\n- ').map((item) => item.split('\n\n', 1)[0]!.replaceAll(/\s+/g, ' ').trim());
    const found = items.flatMap((item) => {
      const [, day, text] = ITEM.exec(item) ?? [];
      return text === undefined ? [] : [{ day, when: day ?? release, text }];
    });
    // The items without a day are those of the release itself, which came first.
    return found.toSorted((a, b) => (b.day ?? '').localeCompare(a.day ?? ''));
  });
  return [...new Set(changes.map(({ when }) => when))].map((when) => ({
    when,
    texts: changes.filter((change) => change.when === when).map(({ text }) => text),
  }));
}
