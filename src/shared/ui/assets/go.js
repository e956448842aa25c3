/** Sends a form that only leads to another site, once. After "Back" it waits for the button. */
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-goes-on]'));

// The mark belongs to this entry of the history, to which "Back" returns.
if (form && history.state !== 'gone') {
  history.replaceState('gone', '');
  form.requestSubmit();
}
