/** A form is sent once, however often its button is pressed. */
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  // Whoever else listens may hold it back.
  if (event.defaultPrevented || form.method !== 'post') return;
  if (form.ariaBusy === 'true') event.preventDefault();
  form.ariaBusy = 'true';
});

/** A browser that goes back to the page shows it as it was left. */
addEventListener('pageshow', () => {
  for (const form of document.forms) form.ariaBusy = null;
});
