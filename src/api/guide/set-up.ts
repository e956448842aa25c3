import type { Settings } from '../../platform/settings/settings.js';
import { downloadPath, type Language, LANGUAGES } from './example-files.js';

export interface GuideProps {
  language: Language;
  baseUrl: string;
  /** The domain of the signed-in person. */
  domain: string | undefined;
  settings: Settings;
}

const CURL = `
api() {
  curl -sS --max-time 10 -H "Authorization: Bearer $TOKEN" -H "X-Client-Domain: $DOMAIN" \\
    -H 'Content-Type: application/json' "$@"; echo
}`;

/**
 * The lines that prepare a terminal for all examples. They never contain the token: the last line asks for
 * it. On a trial the demo's credentials are in a file.
 */
export function setUpScript({
  language,
  baseUrl,
  domain = 'store.example.com',
  settings,
}: GuideProps): string {
  const client =
    language === 'curl'
      ? CURL.trim()
      : `curl -sSO "$API${downloadPath(`wholesale.${LANGUAGES[language].extension}`)}"`;
  const lines = [
    `export API=${baseUrl} DOMAIN=${domain}`,
    client,
    `printf 'Token: ' && read -rs TOKEN && export TOKEN`,
  ];
  return (settings.isOnTrial ? demoSetUp(baseUrl, settings.dataDir, client) : lines).join('\n');
}

function demoSetUp(baseUrl: string, dataDir: string, client: string): string[] {
  return [
    `demo() { sed -n "s/.*\\"$1\\": \\"\\([^\\"]*\\)\\".*/\\1/p" ${dataDir}/demo-credentials.json; }`,
    `export API=${baseUrl} DOMAIN=$(demo domain) TOKEN=$(demo token)`,
    client,
  ];
}
