/**
 * A page that waits for something looks whether there is news, while somebody looks at it. It is loaded anew only if there is: for who
 * hears the page it would begin from the top each time.
 */

/** As it came: this runs before any script that changes it. */
const before = told(document);

const seconds = Number(document.documentElement.dataset.refresh);

if (seconds > 0) setInterval(look, seconds * 1_000);

async function look() {
  if (document.hidden || isBusy()) return;
  const news = await read();
  if (news !== undefined && news !== before && !isBusy()) location.reload();
}

/** What is being filled in, chosen or asked is not taken away. */
function isBusy() {
  return (
    document.querySelector('dialog[open], .choose:checked, input:focus, textarea:focus, select:focus') !==
    null
  );
}

async function read() {
  try {
    const response = await fetch(location.href);
    return told(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } catch {
    // Nothing answers just now. The next look may find more.
    return undefined;
  }
}

/**
 * That it is a minute later is no news.
 * @param {Document} page
 */
function told(page) {
  const copy = page.querySelector('main')?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return undefined;
  for (const time of copy.querySelectorAll('time')) time.remove();
  return copy.textContent;
}
