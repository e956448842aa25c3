/** A link back to a list restores its filters and its page. */
const key = (/** @type {string} */ path) => `list-${path}`;

if (document.getElementById('found')) sessionStorage.setItem(key(location.pathname), location.search);

const back = /** @type {HTMLAnchorElement | null} */ (document.querySelector('a.back'));
if (back && back.search === '') back.search = sessionStorage.getItem(key(back.pathname)) ?? '';
