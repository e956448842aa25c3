/** Searches while a person types: the new result replaces the old one. Without scripts, Enter works. */

const PAUSE_MS = 150;

/** @type {AbortController | undefined} */
let running;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

for (const form of document.querySelectorAll('form[data-follows]'))
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void follow(/** @type {HTMLFormElement} */ (form)), PAUSE_MS);
  });

/** @param {HTMLFormElement} form */
async function follow(form) {
  running?.abort();
  running = new AbortController();
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form))
    if (value !== '') address.searchParams.append(name, String(value));
  try {
    const response = await fetch(address, { signal: running.signal });
    // A lost session leads to another page.
    if (!response.ok || new URL(response.url).pathname !== address.pathname) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [now, next] = [document.getElementById('found'), page.getElementById('found')];
    if (now && next) now.replaceWith(document.adoptNode(next));
    // Screen readers announce a new text, not a new element.
    const count = document.getElementById('found-count');
    if (count) count.textContent = page.getElementById('found-count')?.textContent ?? '';
    history.replaceState(null, '', address);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) form.submit();
  }
}
