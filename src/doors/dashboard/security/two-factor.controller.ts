import { Get, Post, Req } from '@nestjs/common';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { TwoFactor } from '../../../auth/two-factor/two-factor.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { textIn, withFaults } from '../../../pages/forms.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { SECURITY } from '../paths.js';
import { confirmPage, recoveryCodesPage, twoFactorPage } from './two-factor-pages.js';
const readPassword = (fields: FormFields) => textIn(fields, 'password');
const readCode = (fields: FormFields) => textIn(fields, 'code');

/** Answers the form itself with the secret and the recovery codes, so that no address can show them again. */
@DashboardPages('security/two-factor')
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactor) {}

  @Get()
  async show(@CurrentPerson() person: ClientPerson): Promise<Page> {
    return twoFactorPage(await this.twoFactor.state(person));
  }

  @Post()
  @TakesForm()
  begin(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readPassword) password: string,
  ): Promise<Page> {
    return this.orAgain(person, request, async () =>
      confirmPage(await this.twoFactor.begin(person, password)),
    );
  }

  @Post('confirm')
  @TakesForm()
  async confirm(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readCode) code: string,
  ): Promise<Page> {
    try {
      return recoveryCodesPage(await this.twoFactor.confirm(person, code));
    } catch (error) {
      return withFaults(error, request, (faults) => confirmPage(undefined, faults));
    }
  }

  @Post('codes')
  @TakesForm()
  renewCodes(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readPassword) password: string,
  ): Promise<Page> {
    return this.orAgain(person, request, async () =>
      recoveryCodesPage(await this.twoFactor.renewCodes(person, password)),
    );
  }

  @Post('off')
  @TakesForm()
  turnOff(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readPassword) password: string,
  ): Promise<Page | SeeOther> {
    return this.orAgain(person, request, async () => {
      await this.twoFactor.disable(person, password);
      return seeOther(SECURITY, 'The second step is off. You sign in with your password alone.');
    });
  }

  /** Runs the work, or shows the form again with its faults. */
  private async orAgain<Result>(
    person: ClientPerson,
    request: ApiRequest,
    work: () => Promise<Result>,
  ): Promise<Result | Page> {
    try {
      return await work();
    } catch (error) {
      const state = await this.twoFactor.state(person);
      return withFaults(error, request, (faults) => twoFactorPage(state, faults));
    }
  }
}
