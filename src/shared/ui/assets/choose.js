/**
 * Selects rows by their checkboxes: one checkbox for all rows, ranges with the shift key, and buttons with
 * the number and the total of the selected rows.
 */
for (const form of document.forms) {
  const boxes = boxesOf(form);
  if (boxes.length > 0) addSelection(form, boxes);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement[]} boxes
 */
function addSelection(form, boxes) {
  const all = boxForAll(boxes);
  const update = () => {
    updateAll(all, boxes);
    for (const button of buttonsOf(form)) updateButton(button, boxes);
    for (const total of totalsOf(form)) updateTotal(total, boxes);
  };
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
    update();
  });
  takeRanges(boxes);
  for (const box of boxes) box.addEventListener('change', update);
  // After "Back" the browser restores the boxes without an event.
  addEventListener('pageshow', update);
}

/** @param {HTMLFormElement} form */
function boxesOf(form) {
  return /** @type {HTMLInputElement[]} */ (
    [...form.elements].filter((element) => element.classList.contains('choose'))
  );
}

/** @param {HTMLFormElement} form */
function buttonsOf(form) {
  return /** @type {HTMLButtonElement[]} */ (
    [...form.elements].filter((element) => element.hasAttribute('data-chosen'))
  );
}

/** @param {HTMLFormElement} form */
function totalsOf(form) {
  return /** @type {HTMLInputElement[]} */ (
    [...form.elements].filter((element) => element.classList.contains('chosen-total'))
  );
}

/**
 * The box in the column's heading. On a narrow screen its words are visible.
 * @param {HTMLInputElement[]} boxes
 */
function boxForAll(boxes) {
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.className = 'choose-all';
  const label = document.createElement('label');
  const words = document.createElement('span');
  words.textContent = 'Choose all';
  label.append(box, words);
  boxes[0]?.closest('table')?.querySelector('thead .as-choice')?.replaceChildren(label);
  return box;
}

/**
 * @param {HTMLInputElement} all
 * @param {HTMLInputElement[]} boxes
 */
function updateAll(all, boxes) {
  const chosen = boxes.filter(({ checked }) => checked);
  all.checked = chosen.length === boxes.length;
  all.indeterminate = chosen.length > 0 && !all.checked;
}

/** @param {HTMLInputElement[]} chosen */
function sumOf(chosen) {
  return chosen.reduce((total, { dataset }) => total + Number(dataset.minor ?? 0), 0);
}

/**
 * "Pay 2 from wallet · ₹3,307.50".
 * @param {HTMLButtonElement} button
 * @param {HTMLInputElement[]} boxes
 */
function updateButton(button, boxes) {
  const chosen = boxes.filter(({ checked }) => checked);
  const minor = sumOf(chosen);
  button.disabled = chosen.length === 0;
  const { chosen: within = '', beyond, limit, none = '', currency = 'INR' } = button.dataset;
  const text = beyond !== undefined && minor > Number(limit) ? beyond : within;
  const money = new Intl.NumberFormat('en-IN', { style: 'currency', currency });
  button.textContent =
    chosen.length === 0
      ? none
      : text.replace('{count}', String(chosen.length)).replace('{total}', money.format(minor / 100));
}

/**
 * Sends the total that the button shows.
 * @param {HTMLInputElement} total
 * @param {HTMLInputElement[]} boxes
 */
function updateTotal(total, boxes) {
  const chosen = boxes.filter(({ checked }) => checked);
  const minor = sumOf(chosen);
  total.value = chosen.length > 0 && minor <= Number(total.dataset.limit) ? String(minor) : '';
}

/**
 * With the shift key all boxes of the range get the state of the last one.
 * @param {HTMLInputElement[]} boxes
 */
function takeRanges(boxes) {
  let last = 0;
  for (const [at, box] of boxes.entries()) {
    box.addEventListener('click', ({ shiftKey }) => {
      if (shiftKey)
        for (const between of boxes.slice(Math.min(last, at), Math.max(last, at) + 1))
          between.checked = box.checked;
      last = at;
    });
  }
}
