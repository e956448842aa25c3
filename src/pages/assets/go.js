/** A form that only leads on to somebody else's page goes there by itself, but not again for who has come back from there. */
const [visit] = performance.getEntriesByType('navigation');
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-goes-on]'));

if (visit instanceof PerformanceNavigationTiming && visit.type !== 'back_forward') form?.requestSubmit();
