/** Writes the page's notice again. Screen readers do not read a live region's initial content. */
const region = document.querySelector('.notices');

if (region) setTimeout(() => region.replaceChildren(...region.childNodes), 100);
