import { Inject, Injectable } from '@nestjs/common';
import { ProposalsService } from '../../../modules/audit/proposals.service.js';
import { idIn, textIn } from '../../../shared/ui/forms.js';
import { type Reply, SeeOther, seeOther } from '../../../shared/ui/page.js';
import type { DeskRole } from '../../../platform/access/access-rule.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { statusOf } from '../../../platform/errors/error-codes.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import { needsTwoPeople, SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { type Action, type Review, reviewPage, takeStep } from '../action.js';
import { proposalPath } from '../paths.js';
import { DoneBy } from '../words.js';

const ASK = 'Nothing is done yet. An amount this high needs two people. This is what another one will do:';

/** The steps of an action that moves money. From an amount on, another person takes the last step. */
@Injectable()
export class TwoPeople {
  constructor(
    private readonly proposals: ProposalsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** As `takeStep`, for people with this role. The form of the other person names the proposal. */
  take(me: DeskPerson, role: DeskRole, { proposal, ...fields }: FormFields, action: Action): Promise<Reply> {
    const { step, ...typed } = fields;
    const { path } = action;
    if (proposal !== undefined) return this.takeOver(idIn(String(proposal)), me, fields, action);
    if (this.settings.twoPeopleFrom === undefined) return takeStep(fields, action);
    return takeStep(fields, {
      ...action,
      review: async () => {
        const review = await action.review();
        if (!this.needsTwo(review)) return review;
        const { title, money, button } = review;
        if (step !== 'propose' || !button)
          return { ...review, lead: ASK, step: 'propose', button: button && 'Ask another person' };
        refuseChanged(review, typed);
        const asked = { title: title.replace(/\?$/, ''), amount: numericFromMinor(money), role, path };
        const id = await this.proposals.add({ ...asked, fields: typed }, me);
        return seeOther(proposalPath(id), 'Proposed. Nothing is done until another person does it.');
      },
      run: async () => {
        if (this.needsTwo(await action.review()))
          throw new DomainError('conflict', 'Nothing was done. An amount this high needs two people.');
        return action.run();
      },
    });
  }

  private needsTwo(review: Review | SeeOther): review is Review & Required<Pick<Review, 'money'>> {
    if (review instanceof SeeOther || review.money === undefined) return false;
    return needsTwoPeople(this.settings, review.money);
  }

  /** Shows the review of now, then does the deed. The page of the proposal tells a refusal. */
  private async takeOver(
    id: number,
    me: DeskPerson,
    { step, ...fields }: FormFields,
    action: Action,
  ): Promise<Reply> {
    const { path } = action;
    const back = { href: proposalPath(id), text: 'Proposal' };
    try {
      const proposal = await this.proposals.sent(id, { path, fields }, me);
      if (step === 'confirm') return await this.proposals.do(proposal, me, () => action.run());
      const review = await action.review();
      if (review instanceof SeeOther) return review;
      refuseChanged(review, fields);
      const proposed = { Proposed: <DoneBy at={proposal.proposedAt} by={proposal.proposedBy} /> };
      const shown = {
        ...review,
        effects: { ...review.effects, ...proposed },
        seen: { proposal: String(id) },
      };
      return reviewPage({ path, back, hasForm: false }, shown, fields);
    } catch (error) {
      if (!(error instanceof DomainError) || statusOf(error.code) >= 500) throw error;
      return seeOther(back.href, { kind: 'warn', text: error.message });
    }
  }
}

/** What the proposer saw must still be so. Each review has a key of its own. */
function refuseChanged({ seen = {} }: Review, sent: FormFields): void {
  if (Object.keys(seen).every((name) => name === 'key' || textIn(seen, name) === textIn(sent, name))) return;
  throw new DomainError('conflict', 'Something changed meanwhile. Look at it again and propose it anew.');
}
