import type { ComponentChildren } from 'preact';
import { isOwnPicture, thumbnailPath } from '../../modules/pictures/picture-paths.js';
import { Card } from '../../shared/ui/components/layout.js';
import type { ListColumn } from '../../shared/ui/components/lists.js';

interface PicturesProps {
  of: { images: readonly string[]; name: string };
  /** Stands below each picture. */
  actions?: (image: string) => ComponentChildren;
  /** Stands below all pictures, also if there are none. */
  children?: ComponentChildren;
}

/** Browsers may load only https pictures here. Other addresses are shown as links. */
export const Pictures = ({ of: { images, name }, actions, children }: PicturesProps) => {
  const [visible, others] = [images.filter(isSecure), images.filter((image) => !isSecure(image))];
  if (images.length === 0 && !children) return null;
  return (
    <Card title={images.length === 1 ? 'Picture' : 'Pictures'}>
      {visible.length > 0 && (
        <div class="pictures">
          {visible.map((image, at) => (
            <div>
              <a href={image} rel="noreferrer">
                <img
                  src={thumbnailPath(image)}
                  alt={visible.length === 1 ? name : `${name}, picture ${at + 1}`}
                  loading="lazy"
                  referrerpolicy="no-referrer"
                />
              </a>
              {actions?.(image)}
            </div>
          ))}
        </div>
      )}
      {others.length > 0 && (
        <p class="hint">Not shown, because browsers load pictures here only from https: addresses.</p>
      )}
      {others.map((image) => (
        <div>
          <a href={image} rel="noreferrer">
            {image}
          </a>
          {actions?.(image)}
        </div>
      ))}
      {children}
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

/** The column of the first picture in a list. */
export const pictureColumn = <Row,>(pictureOf: (row: Row) => string | null): ListColumn<Row> => ({
  heading: '',
  cell: (row) => <Thumbnail of={pictureOf(row)} />,
});

/** A small picture beside a name. */
const Thumbnail = ({ of }: { of: string | null }) =>
  of !== null &&
  isSecure(of) && (
    <img class="thumbnail" src={thumbnailPath(of)} alt="" loading="lazy" referrerpolicy="no-referrer" />
  );

/** A page may also show pictures from the service itself on this machine, such as the demo's pictures. */
function isSecure(image: string): boolean {
  return isOwnPicture(image) || /^(https:|http:\/\/localhost:)/i.test(image);
}
