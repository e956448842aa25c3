/** Remembers ticked checkboxes on this device. */
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (
  document.querySelectorAll('form[data-ticks]')
)) {
  const key = `ticks-${form.dataset.ticks}`;
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input.choose')]);
  /** @type {string[]} */
  const ticked = JSON.parse(localStorage.getItem(key) ?? '[]');
  for (const box of boxes) box.checked = ticked.includes(box.value);
  form.addEventListener('change', () => {
    const values = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    localStorage.setItem(key, JSON.stringify(values));
  });
}
