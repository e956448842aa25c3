import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorResponse } from '../http/error.response.js';
import { describeApi } from './describe-api.js';
import { describeHeaders } from './describe-headers.js';
import { tellExamplesOfOptionalParameters } from './tell-examples.js';
import { withNullTypes } from './with-null-types.js';

/** The document that Swagger UI shows, clients are generated from and the tests hold every answer against. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Wholesale Order API')
    .setDescription(describeApi())
    .setOpenAPIVersion('3.1.0')
    .setVersion('1.0.0')
    .addServer('/', 'This server')
    .addTag('Catalog', 'What may be sold, at the prices of your plan.')
    .addTag('Stock', 'What can be sold right now.')
    .addTag('Orders', 'Place orders and follow them.')
    .addTag('Account', 'Find out why credentials do not work.')
    .addTag('Health', 'For balancers and monitors; no credentials.')
    .addSecurity('token', {
      type: 'http',
      scheme: 'bearer',
      description: 'Your API token. Keep it on your server; never put it into a browser.',
    })
    .addSecurity('domain', {
      type: 'apiKey',
      in: 'header',
      name: 'X-Client-Domain',
      description: 'The domain the token is registered to, such as `store.example.com`.',
    })
    .build();
  // Of its own by SPDX: there is no page about it that could be named.
  Object.assign(config.info, { license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } });
  const document = SwaggerModule.createDocument(app, config, { extraModels: [ErrorResponse] });
  return withNullTypes(describeHeaders(tellExamplesOfOptionalParameters(document)));
}
