import { Get, Post } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { ProductPictures } from '../../../modules/catalog/product-pictures.service.js';
import { MAX_PICTURE_BYTES } from '../../../modules/pictures/pictures.service.js';
import type { ErrorCode } from '../../../platform/errors/error-codes.js';
import { openNameless } from '../../../platform/files/spool.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { MayHaveBody } from '../../../platform/http/bodies.js';
import { readUpload } from '../../../platform/http/read-upload.js';
import { redirectWithWarning, submitForm, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, type SeeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { MAX_FILE_BYTES } from '../../../shared/imports/file-copy.js';
import { productPath } from '../paths.js';
import { archivePage, archiveResultPage } from './pictures-pages.js';

const ERRORS: ErrorCode[] = [
  'body_too_complex',
  'body_too_large',
  'conflict',
  'invalid_value',
  'malformed_request',
  'rate_limited',
  'unreadable_file',
  'unsupported_media_type',
];

/** The file of a form with one picture. */
export const readPicture = (request: ApiRequest): Promise<Buffer> =>
  readUpload(request, MAX_PICTURE_BYTES, async ({ bytes }) => {
    const pieces: Buffer[] = [];
    for await (const piece of bytes) pieces.push(piece);
    return Buffer.concat(pieces);
  });

/** Uploads of pictures of products. */
@DeskPages('goods')
export class PicturesUploadController {
  constructor(private readonly pictures: ProductPictures) {}

  @Post('products/:sku/pictures')
  @MayHaveBody()
  add(@DeskPageRequest() { me, sku, owner, httpRequest }: DeskPageRequest<'sku'>): Promise<SeeOther> {
    return redirectWithWarning(productPath(sku), ERRORS, async () => {
      await this.pictures.add(sku, await readPicture(httpRequest), owner, actorOf(me));
      return 'The picture is added.';
    });
  }

  @PostForm('products/:sku/pictures/remove')
  remove(@DeskPageRequest() { me, sku, fields }: DeskPageRequest<'sku'>): Promise<SeeOther> {
    return redirectWithWarning(productPath(sku), ERRORS, async () => {
      await this.pictures.remove(sku, textIn(fields, 'image'), actorOf(me));
      return 'The picture is removed.';
    });
  }

  @Get('pictures')
  archiveForm(): Page {
    return archivePage();
  }

  @Post('pictures')
  @MayHaveBody()
  addArchive(@DeskPageRequest() { me, owner, httpRequest }: DeskPageRequest): Promise<Reply> {
    const upload = async () => {
      const file = await openNameless();
      try {
        const replace = await readUpload(httpRequest, MAX_FILE_BYTES, async ({ fields, bytes }) => {
          for await (const chunk of bytes) await file.writeFile(chunk);
          return textIn(fields, 'replace') === 'yes';
        });
        owner.releaseSlot?.();
        const options = { actor: actorOf(me), replace };
        return archiveResultPage(await this.pictures.addArchive(file.fd, owner, options));
      } finally {
        await file.close();
      }
    };
    return submitForm(upload, () => archivePage());
  }
}
