import { MAX_PICTURE_BYTES } from '../../../modules/pictures/pictures.service.js';
import { Button, FileField, Form } from '../../../shared/ui/components/controls.js';
import { productPicturesPath } from '../paths.js';

const LIMITS = `JPEG, PNG or WebP, at most ${MAX_PICTURE_BYTES / 1_000_000} MB`;

export const UploadForm = ({ sku }: { sku: string }) => (
  <Form action={productPicturesPath(sku)} enctype="multipart/form-data">
    <FileField
      label="New picture"
      name="file"
      hint={LIMITS}
      accept=".jpg,.jpeg,.png,.webp"
      maxBytes={MAX_PICTURE_BYTES}
      required
    />
    <Button>Upload</Button>
  </Form>
);

export const RemoveForm = ({ sku, image }: { sku: string; image: string }) => (
  <Form action={`${productPicturesPath(sku)}/remove`} hidden={{ image }} confirm="Remove this picture?" bare>
    <Button>Remove</Button>
  </Form>
);
