import { Card } from '../../shared/ui/components/layout.js';

/** Browsers may load only https pictures here. Other addresses are shown as links. */
export const Pictures = ({ of: { images, name } }: { of: { images: readonly string[]; name: string } }) => {
  const [visible, others] = [images.filter(isSecure), images.filter((image) => !isSecure(image))];
  if (images.length === 0) return null;
  return (
    <Card title={images.length === 1 ? 'Picture' : 'Pictures'}>
      {visible.length > 0 && (
        <div class="pictures">
          {visible.map((image, at) => (
            <a href={image} rel="noreferrer">
              <img
                src={image}
                alt={visible.length === 1 ? name : `${name}, picture ${at + 1}`}
                loading="lazy"
                referrerpolicy="no-referrer"
              />
            </a>
          ))}
        </div>
      )}
      {others.length > 0 && (
        <p class="hint">Not shown, because browsers load pictures here only from https: addresses.</p>
      )}
      {others.map((image) => (
        <a href={image} rel="noreferrer">
          {image}
        </a>
      ))}
    </Card>
  );
};

export const Description = ({ text }: { text: string }) =>
  text !== '' && (
    <Card title="Description">
      {text.split(/\n+/).map((paragraph) => (
        <p>{paragraph}</p>
      ))}
    </Card>
  );

/** A small picture beside a name. */
export const Thumbnail = ({ of }: { of: string | null }) =>
  of !== null &&
  isSecure(of) && <img class="thumbnail" src={of} alt="" loading="lazy" referrerpolicy="no-referrer" />;

/** A page may also show pictures from the service itself on this machine, such as the demo's pictures. */
function isSecure(image: string): boolean {
  return /^(https:|http:\/\/localhost:)/i.test(image);
}
