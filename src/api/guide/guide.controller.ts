import { readFileSync } from 'node:fs';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SessionCredentialService } from '../../modules/auth/guard/session-credential.service.js';
import { ClientTokensService } from '../../modules/auth/tokens/client-tokens.service.js';
import { ClientDomainsService } from '../../modules/clients/client-domains.service.js';
import type { Page } from '../../shared/ui/page.js';
import { PagesIn } from '../../shared/ui/pages-in.decorator.js';
import { Open } from '../../platform/access/access-rule.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { KeptFile } from '../../platform/http/representation.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { exampleFile, type Language, readLanguage } from './example-files.js';
import { guideFrame } from './guide-frame.js';
import { guidePage } from './guide-page.js';
import { guideMarkdown, programsIndex } from './guide-text.js';

/** The guide is public. It shows the domain of a signed-in person, and never a secret. */
@Open()
@PagesIn(guideFrame)
@Controller('docs/guide')
export class GuideController {
  constructor(
    private readonly sessions: SessionCredentialService,
    private readonly tokens: ClientTokensService,
    private readonly domains: ClientDomainsService,
    private readonly address: OwnAddress,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@Req() request: ApiRequest, @Res({ passthrough: true }) response: TimedResponse): Promise<Page> {
    const domain = await this.domainOf(request, response);
    const language = readLanguage(request.query);
    return guidePage({ language, baseUrl: this.address.publicUrl, domain, settings: this.settings });
  }

  /** Undefined without a database, so that the guide works without it. */
  private async domainOf(request: ApiRequest, response: TimedResponse): Promise<string | undefined> {
    try {
      const { person } = await this.sessions.identify(request, response);
      const { clientId } = person;
      if (clientId === null) return undefined;
      const [token] = await this.tokens.listValid({ clientId });
      return token?.domain ?? (await this.domains.ofClient(clientId))[0];
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}

const ADMIN_GUIDE = readFileSync(new URL('admin-guide.md', import.meta.url), 'utf8');

/** The guide for programs: as Markdown, and where to find everything. */
@ApiExcludeController()
@Open()
@Controller()
export class GuideTextsController {
  private readonly guides = new Map<Language, KeptFile>();

  constructor(
    private readonly address: OwnAddress,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('docs/guide.md')
  guide(@Req() { query }: ApiRequest): KeptFile {
    const language = readLanguage(query);
    let guide = this.guides.get(language);
    if (!guide) {
      const props = { language, baseUrl: this.address.publicUrl, domain: undefined, settings: this.settings };
      guide = new KeptFile('text/markdown; charset=utf-8', Buffer.from(guideMarkdown(props)));
      this.guides.set(language, guide);
    }
    return guide;
  }

  @Get('docs/admin/guide.md')
  adminGuide(): KeptFile {
    const text = ADMIN_GUIDE.replaceAll('{{address}}', this.address.publicUrl);
    return new KeptFile('text/markdown; charset=utf-8', Buffer.from(text));
  }

  @Get('llms.txt')
  index(): KeptFile {
    const text = programsIndex(this.address.publicUrl);
    return new KeptFile('text/plain; charset=utf-8', Buffer.from(text));
  }
}

@ApiExcludeController()
@Open()
@Controller('docs/clients')
export class ExampleFilesController {
  @Get(':name')
  file(@Param('name') name: string): KeptFile {
    const file = exampleFile(name);
    if (!file) throw new DomainError('route_not_found', 'There is no such file. See /docs/guide.');
    return file;
  }
}
