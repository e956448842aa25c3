/**
 * Reads codes with the camera, if the browser can: a code is sent as if it was typed. The camera stays on
 * from page to page until a person turns it off.
 */
const ON = 'camera-is-on';
const PAUSE_MS = 150;

if ('BarcodeDetector' in globalThis && navigator.mediaDevices)
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (
    document.querySelectorAll('form[data-scans]')
  ))
    addCamera(form);

/** @param {HTMLFormElement} form */
function addCamera(form) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain';
  button.textContent = 'Camera';
  form.append(button);
  /** @type {MediaStream | undefined} */
  let stream;
  const toggle = async () => {
    if (stream) {
      sessionStorage.removeItem(ON);
      for (const track of stream.getTracks()) track.stop();
      stream = undefined;
      form.querySelector('video')?.remove();
      button.textContent = 'Camera';
      return;
    }
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    } catch {
      sessionStorage.removeItem(ON);
      button.textContent = 'The camera is not allowed';
      return;
    }
    sessionStorage.setItem(ON, 'yes');
    button.textContent = 'Stop the camera';
    const video = document.createElement('video');
    video.playsInline = true;
    video.muted = true;
    video.srcObject = stream;
    form.append(video);
    await video.play();
    void watch(form, video);
  };
  button.addEventListener('click', () => void toggle());
  if (sessionStorage.getItem(ON)) void toggle();
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLVideoElement} video
 */
async function watch(form, video) {
  // The types of the browser do not know it yet.
  const { BarcodeDetector } = /** @type {any} */ (globalThis);
  const detector = new BarcodeDetector();
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('code'));
  while (video.isConnected) {
    const [found] = await detector.detect(video).catch(() => []);
    if (found) {
      field.value = found.rawValue;
      form.requestSubmit();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
