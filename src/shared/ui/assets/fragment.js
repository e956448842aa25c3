/**
 * Moves the code after the # of a link from the address and the history into its field. Sends it, unless the
 * person must press the button.
 */
const field = /** @type {HTMLInputElement | null} */ (document.querySelector('input[data-fragment]'));

function takeFragment() {
  const secret = location.hash.slice(1);
  if (!field?.form || !/^[\w-]{43}$/.test(secret)) return;
  history.replaceState(null, '', location.pathname);
  field.value = secret;
  if (field.dataset.fragment !== 'stay') field.form.requestSubmit();
}

takeFragment();
addEventListener('hashchange', takeFragment);
