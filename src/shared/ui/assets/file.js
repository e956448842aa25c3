/** Says that a file is too large before it is sent: the browser would show nothing of a refusal for minutes. */
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
  const most = Number(target.dataset.maxBytes);
  const [file] = target.files ?? [];
  const isTooLarge = file !== undefined && file.size > most;
  target.setCustomValidity(isTooLarge ? `The file may have at most ${most / 1e6} MB. Split it.` : '');
  if (isTooLarge) target.reportValidity();
});
