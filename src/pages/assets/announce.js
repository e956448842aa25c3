/** A notice that came with the page is put there once more, which has it read out: what stands in a live region from the beginning is not. */
const region = document.querySelector('.notices');

if (region) setTimeout(() => region.replaceChildren(...region.childNodes), 100);
