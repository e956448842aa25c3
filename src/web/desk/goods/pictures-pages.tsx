import type { PicturesReport } from '../../../modules/catalog/product-pictures.service.js';
import { MAX_PICTURE_BYTES } from '../../../modules/pictures/pictures.service.js';
import { Button, ButtonLink, Checks, FileField, Form } from '../../../shared/ui/components/controls.js';
import { ListCard } from '../../../shared/ui/components/lists.js';
import { countOf } from '../../../platform/formats.js';
import type { Page } from '../../../shared/ui/page.js';
import { formPage } from '../../shared/form-page.js';
import { MAX_FILE_BYTES } from '../../../shared/imports/file-copy.js';
import { GOODS, PICTURES, productPicturesPath } from '../paths.js';

const LIMITS = `JPEG, PNG or WebP, at most ${MAX_PICTURE_BYTES / 1_000_000} MB`;
const BACK = { href: GOODS, text: 'Goods' };

export const PictureField = ({ label }: { label: string }) => (
  <FileField
    label={label}
    name="file"
    hint={LIMITS}
    accept=".jpg,.jpeg,.png,.webp"
    maxBytes={MAX_PICTURE_BYTES}
    required
  />
);

export const UploadForm = ({ sku }: { sku: string }) => (
  <Form action={productPicturesPath(sku)} enctype="multipart/form-data">
    <PictureField label="New picture" />
    <Button>Upload</Button>
  </Form>
);

export const RemoveForm = ({ sku, image }: { sku: string; image: string }) => (
  <Form action={`${productPicturesPath(sku)}/remove`} hidden={{ image }} confirm="Remove this picture?" bare>
    <Button>Remove</Button>
  </Form>
);

const REPLACE = [
  {
    value: 'yes',
    text: 'Replace the pictures that these products have',
    hint: 'Without it, pictures are added.',
  },
];

export const archivePage = (): Page =>
  formPage({
    title: 'Pictures in a ZIP file',
    lead: 'Name each picture by its SKU: KURTA-01.jpg. More of it end with a number: KURTA-01-2.jpg.',
    back: BACK,
    enctype: 'multipart/form-data',
    fields: (
      <>
        <Checks label="Products with pictures" name="replace" options={REPLACE} values={[]} />
        <FileField
          label="ZIP file"
          name="file"
          hint={`${LIMITS} each, ${MAX_FILE_BYTES / 1_000_000} MB together`}
          accept=".zip"
          maxBytes={MAX_FILE_BYTES}
          required
        />
      </>
    ),
    buttons: <Button kind="primary">Upload</Button>,
  });

export const archiveResultPage = ({ pictures, products, refused }: PicturesReport): Page => ({
  title: `${countOf(pictures, 'picture', 'pictures')} of ${countOf(products, 'product', 'products')}`,
  lead:
    refused.length === 0
      ? 'All files of the archive were read.'
      : `${countOf(refused.length, 'file was', 'files were')} refused. Upload again what you correct.`,
  back: BACK,
  actions: <ButtonLink href={PICTURES}>Another file</ButtonLink>,
  content: (
    <ListCard
      title="Refused"
      columns={[
        { heading: 'File', as: 'title', cell: ({ name }) => name },
        { heading: 'Reason', cell: ({ reason }) => reason },
      ]}
      rows={refused}
    />
  ),
});
