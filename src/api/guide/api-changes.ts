interface ApiChange {
  /** Such as "Unreleased: 1.0.0". */
  release: string;
  text: string;
}

const HEAD = '**Store API.** ';

/** The entries about the API in the changelog of the service. */
export function apiChanges(changelog: string): ApiChange[] {
  const [, ...releases] = changelog.split('\n## ');
  return releases.flatMap((part) => {
    const [release = ''] = part.split('\n', 1);
    const items = part.split('\n- ').map((item) => item.split('\n\n', 1)[0]!.replaceAll(/\s+/g, ' '));
    return items
      .filter((item) => item.startsWith(HEAD))
      .map((item) => ({ release, text: item.slice(HEAD.length).trim() }));
  });
}
