/**
 * A page that waits for something checks for news while it is visible. It reloads only if there is news,
 * because a screen reader starts from the top after each reload.
 */

/** The page as it arrived: this runs before the scripts that change it. */
const before = textOf(document);

const seconds = Number(document.documentElement.dataset.refresh);

if (seconds > 0) setInterval(look, seconds * 1_000);

async function look() {
  if (document.hidden || isBusy()) return;
  const news = await read();
  if (news !== undefined && news !== before && !isBusy()) location.reload();
}

/** A reload must not discard typed fields, chosen rows or an open question. */
function isBusy() {
  return (
    document.querySelector('dialog[open], .choose:checked, input:focus, textarea:focus, select:focus') !==
    null
  );
}

async function read() {
  try {
    const response = await fetch(location.href);
    return textOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } catch {
    // There is no answer now. The next check may succeed.
    return undefined;
  }
}

/**
 * Relative times are no news.
 * @param {Document} page
 */
function textOf(page) {
  const copy = page.querySelector('main')?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return undefined;
  for (const time of copy.querySelectorAll('time')) time.remove();
  return copy.textContent;
}
