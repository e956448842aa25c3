/** A check belongs to its options: after a change its result cannot be applied before the next check. */
for (const form of document.forms) {
  const apply = /** @type {HTMLButtonElement | null} */ (form.querySelector('button[data-checked]'));
  const note = form.querySelector('[data-unchecked]');
  if (!apply || !note) continue;
  const update = () => {
    apply.disabled = [...form.elements].some(isChanged);
    note.textContent = apply.disabled ? (/** @type {HTMLElement} */ (note).dataset.unchecked ?? '') : '';
  };
  form.addEventListener('input', update);
  // After "Back" the browser restores the fields without an event.
  addEventListener('pageshow', update);
}

/** @param {Element} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  if (!(field instanceof HTMLInputElement)) return false;
  return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
}
