/**
 * Keys of the whole page: j and k move between the rows of lists, x chooses the row, / searches. People can turn
 * them off, such as for speech input. Then j, k and x still work while the focus is in a list.
 */
const ACTIONS = {
  j: () => step(1),
  k: () => step(-1),
  x: () => rowInFocus()?.querySelector('.choose'),
  '/': () => document.querySelector('input[type="search"]'),
};

const KEYS = [
  ['/', 'Search'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row of a list'],
  ['x', 'Choose the row'],
  ['?', 'Show these keys'],
];

/** The key in the browser's storage if the keys are off. */
const OFF = 'keys-off';

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return;
  if (isTyping(target) || (localStorage.getItem(OFF) !== null && !isInList(target))) return;
  if (key === '?' && localStorage.getItem(OFF) === null) showKeys();
  const goal = key in ACTIONS ? ACTIONS[/** @type {keyof typeof ACTIONS} */ (key)]() : null;
  if (!(goal instanceof HTMLElement)) return;
  event.preventDefault();
  if (key === 'x') goal.click();
  else if (goal instanceof HTMLInputElement && goal.type === 'search') goal.select();
  else goal.focus();
});

/** @param {EventTarget | null} target */
function isInList(target) {
  return target instanceof Element && target.closest('.table-room') !== null;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return (
    target instanceof Element &&
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select')
  );
}

/** @param {1 | -1} by */
function step(by) {
  const rows = [...document.querySelectorAll('.table tbody tr')];
  const at = rows.findIndex((row) => row === rowInFocus());
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
  return rows[next]?.querySelector('.as-title a') ?? rows[next]?.querySelector('a, .choose');
}

function rowInFocus() {
  return document.activeElement?.closest('.table tbody tr');
}

// The keys need scripts, so a script adds them to the menu.
const items = document.querySelector('.menu-items');
if (items) {
  const button = elementOf('button', 'Keyboard shortcuts');
  button.type = 'button';
  button.addEventListener('click', showKeys);
  items.querySelector('form')?.before(button);
}

function showKeys() {
  const dialog = document.createElement('dialog');
  dialog.className = 'card confirm';
  const title = elementOf('h2', 'Keyboard shortcuts');
  title.id = 'keys-title';
  dialog.setAttribute('aria-labelledby', title.id);
  const list = elementOf('dl', '');
  list.className = 'keys';
  for (const [key = '', does = ''] of KEYS) {
    const name = elementOf('dt', '');
    name.append(elementOf('kbd', key));
    list.append(name, elementOf('dd', does));
  }
  dialog.append(title, list, switchOf(), closeOf());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Turns the keys on and off. */
function switchOf() {
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = localStorage.getItem(OFF) === null;
  box.addEventListener('change', () => {
    if (box.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'yes');
  });
  const label = elementOf('label', '');
  label.className = 'choice';
  label.append(box, elementOf('span', 'Use these keys on every page'));
  return label;
}

function closeOf() {
  const form = elementOf('form', '');
  form.method = 'dialog';
  form.className = 'actions';
  const close = elementOf('button', 'Close');
  close.className = 'button plain';
  form.append(close);
  return form;
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} text
 */
function elementOf(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
