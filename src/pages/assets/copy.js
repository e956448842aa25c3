/** Buttons that copy a field, shown where the browser lets a page do so. */
for (const button of document.querySelectorAll('button[data-copies]')) {
  const field = document.getElementById(button.dataset.copies);
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(field.value);
    button.querySelector('span').textContent = 'Copied';
  });
}
