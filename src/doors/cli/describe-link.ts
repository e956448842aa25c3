/** The one time that it is shown. */
export function describeLink(url: string, mailed: boolean): string {
  const way = mailed
    ? 'It was mailed as well.'
    : 'No mail is sent: pass it on in a way that nobody else reads.';
  return `Link:   ${url}\nIt lets in whoever opens it first, and is not shown again. ${way}\n`;
}
