/** Sends a form once, even if its button is pressed several times. */
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  // Another listener may stop the form.
  if (event.defaultPrevented || form.method !== 'post') return;
  if (form.ariaBusy === 'true') event.preventDefault();
  form.ariaBusy = 'true';
});

/** After "Back" the browser shows the page as it was left. */
addEventListener('pageshow', () => {
  for (const form of document.forms) form.ariaBusy = null;
});
