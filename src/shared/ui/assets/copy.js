/** Buttons that copy a field or a text, if the browser allows it. A field is selected when it gets focus. */
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
  document.querySelectorAll('button[data-copies]')
)) {
  const source = document.getElementById(button.dataset.copies ?? '');
  if (source instanceof HTMLInputElement) source.addEventListener('focus', () => source.select());
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', () => copy(button, source));
}

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLElement | null} source
 */
async function copy(button, source) {
  await navigator.clipboard.writeText(
    source instanceof HTMLInputElement ? source.value : (source?.textContent ?? ''),
  );
  for (const label of [button.querySelector('span'), button.nextElementSibling])
    if (label) label.textContent = 'Copied';
}
