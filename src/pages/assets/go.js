/** A form that only leads on to somebody else's page goes there by itself. */
/** @type {HTMLFormElement | null} */ (document.querySelector('form[data-goes-on]'))?.requestSubmit();
