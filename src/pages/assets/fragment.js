/** What came behind the # of a link goes into its field, out of the address and what the browser remembers of it, and is sent. */
const field = /** @type {HTMLInputElement | null} */ (document.querySelector('input[data-fragment]'));

function takeFragment() {
  const secret = location.hash.slice(1);
  if (!field?.form || !/^[\w-]{43}$/.test(secret)) return;
  history.replaceState(null, '', location.pathname);
  field.value = secret;
  field.form.requestSubmit();
}

takeFragment();
addEventListener('hashchange', takeFragment);
