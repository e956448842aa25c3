/** Refuses a large file before it is sent: the service's refusal would arrive minutes later. */
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
  const maxBytes = Number(target.dataset.maxBytes);
  const [file] = target.files ?? [];
  const isTooLarge = file !== undefined && file.size > maxBytes;
  target.setCustomValidity(isTooLarge ? `The file may have at most ${maxBytes / 1e6} MB.` : '');
  if (isTooLarge) target.reportValidity();
});
