/**
 * Keys for lists: j and k move between the rows, x chooses the row. They work only while the focus is in the
 * list, so that speech input or a stray key does nothing elsewhere.
 */
const ACTIONS = {
  j: () => step(1),
  k: () => step(-1),
  x: () => rowInFocus()?.querySelector('.choose'),
};

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || !isInList(target) || !(key in ACTIONS)) return;
  const goal = ACTIONS[/** @type {keyof typeof ACTIONS} */ (key)]();
  if (!(goal instanceof HTMLElement)) return;
  event.preventDefault();
  if (key === 'x') goal.click();
  else goal.focus();
});

/** @param {EventTarget | null} target */
function isInList(target) {
  return target instanceof Element && target.closest('.table-room') !== null;
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
