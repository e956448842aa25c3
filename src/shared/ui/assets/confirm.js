/** Asks for confirmation before an action that cannot be undone. */
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const question = submitter?.dataset.confirm ?? form.dataset.confirm;
  if (question === undefined || event.defaultPrevented || form.dataset.confirmed === 'yes') return;
  event.preventDefault();
  ask(question, submitter, () => {
    form.dataset.confirmed = 'yes';
    form.requestSubmit(submitter);
    delete form.dataset.confirmed;
  });
});

/**
 * @param {string} question
 * @param {HTMLButtonElement | null} button the dialog repeats its text
 * @param {() => void} whenConfirmed
 */
function ask(question, button, whenConfirmed) {
  const dialog = document.createElement('dialog');
  dialog.className = 'card confirm';
  const text = document.createElement('p');
  text.id = 'confirm-question';
  text.textContent = question;
  dialog.setAttribute('aria-labelledby', text.id);
  const form = document.createElement('form');
  form.method = 'dialog';
  form.className = 'actions';
  form.append(
    buttonOf('Keep it as it is', '', 'button plain'),
    buttonOf(button?.textContent ?? 'Yes', 'yes', button?.className ?? 'button primary'),
  );
  dialog.append(text, form);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (dialog.returnValue === 'yes') whenConfirmed();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {string} text
 * @param {string} value
 * @param {string} classes
 */
function buttonOf(text, value, classes) {
  const button = document.createElement('button');
  button.className = classes;
  button.value = value;
  button.textContent = text;
  return button;
}
