import { Get, Inject } from '@nestjs/common';
import { ProposalsService } from '../../../modules/audit/proposals.service.js';
import { atField, orAgain, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DeskPages, Visit } from '../desk-pages.js';
import { PROPOSALS } from '../paths.js';
import { PROPOSAL_LIST, proposalPage } from './proposals-pages.js';

/** Deeds about money that wait for a second person. */
@DeskPages('proposals', 'staff')
export class ProposalsController {
  constructor(
    private readonly proposals: ProposalsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@Visit() { fields }: Visit): Promise<Page> {
    const asked = PROPOSAL_LIST.read(fields);
    const { state } = asked.chosen;
    const shown = state === 'all' ? undefined : state;
    const found = await PROPOSAL_LIST.find((most) => this.proposals.newest(shown, asked.mark, most));
    return PROPOSAL_LIST.page({
      title: 'Proposals',
      lead: 'Deeds about money that one person proposed. Another person does or refuses them.',
      asked,
      found,
      context: this.settings.currency,
    });
  }

  @Get(':id')
  async show(@Visit() { me, id }: Pick<Visit, 'me' | 'id'>): Promise<Page> {
    return proposalPage(await this.proposals.show(id), me, this.settings.currency);
  }

  /** The proposer withdraws it, another person refuses it. */
  @PostForm(':id/end')
  end(@Visit() { me, id, fields }: Visit): Promise<Reply> {
    const end = async () => {
      const state = await this.proposals.end(id, textIn(fields, 'reason'), me).catch((error: unknown) => {
        throw atField('reason', error);
      });
      return seeOther(PROPOSALS, `The proposal is ${state}. Nothing was done.`);
    };
    return orAgain(end, () => this.show({ me, id }), 'conflict');
  }
}
