/** A form that only leads on to somebody else's page goes there by itself, but not again for who has come back from there. */
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-goes-on]'));

// It stands with this entry of the history, which whoever goes back comes back to.
if (form && history.state !== 'gone') {
  history.replaceState('gone', '');
  form.requestSubmit();
}
