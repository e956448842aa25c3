/** A notice that came with the page is read out: what stands in a live region from the beginning is not. */
const notice = document.querySelector('.notices')?.textContent;
const region = document.getElementById('announcement');

if (notice && region) {
  setTimeout(() => (region.textContent = notice), 100);
  // Who reads the page from the top is told by the notice itself.
  setTimeout(() => (region.textContent = ''), 5_000);
}
