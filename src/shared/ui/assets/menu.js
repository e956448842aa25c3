/** Closes the menu when the focus leaves it, and scrolls the current tab into view. */
const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector('details.menu'));

if (menu) {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

for (const current of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll('.tabs [aria-current]')
))
  current.parentElement?.scrollTo({ left: current.offsetLeft - 40 });
