import type { ComponentChildren } from 'preact';
import { Button, ButtonLink, Form } from '../../shared/ui/components/controls.js';
import { Card, Facts, Notice } from '../../shared/ui/components/layout.js';
import { submitForm } from '../../shared/ui/forms.js';
import { type Link, type Page, type Reply, SeeOther } from '../../shared/ui/page.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { formPage, type FormPageProps } from '../shared/form-page.js';

export type Effects = Readonly<Record<string, ComponentChildren>>;

/** The effects of a form before it is confirmed. */
export interface Review {
  title: string;
  lead?: string;
  /** By name. A value that is false, null or undefined is left out. */
  effects: Effects;
  /** The effects are amounts. */
  sums?: boolean;
  warnings?: readonly ComponentChildren[];
  /** Hidden fields beside the typed ones: the state that the person confirms. */
  reviewedFields?: FormFields;
  /** The text of the button. `false`: the action is not possible. */
  button: string | false;
  isDanger?: boolean | undefined;
}

interface ActionLocation {
  /** The address of the action, if it is not the one of the page. */
  path?: string;
  back: Link;
  /** There is a form that can be changed. */
  hasForm?: boolean;
}

/** A form, then a review of its effects, then the action. */
export interface Action extends ActionLocation {
  /** Without an error: the first page, and the way back from the review. */
  form(error?: unknown): Page | Promise<Page>;
  /** Throws if the action is not possible. */
  review(): Review | SeeOther | Promise<Review | SeeOther>;
  run(): Promise<SeeOther>;
}

/** The form's button names the step: none asks for the review. */
export async function takeStep({ step, ...typed }: FormFields, action: Action): Promise<Reply> {
  if (step === 'edit') return { ...(await action.form()), isFilled: true };
  const next = async () => {
    if (step === 'confirm') return action.run();
    const review = await action.review();
    return review instanceof SeeOther ? review : reviewPage(action, review, typed);
  };
  return submitForm(next, (error) => action.form(error));
}

const NOTHING_YET = 'Nothing is done yet. This is what will be done:';

export function reviewPage(
  { path, back, hasForm = true }: ActionLocation,
  { title, lead = NOTHING_YET, effects, sums, warnings = [], reviewedFields, button, isDanger }: Review,
  typed: FormFields = {},
): Page {
  return {
    title,
    lead,
    back,
    isReview: true,
    content: (
      <>
        {warnings.map((warning) => (
          <Notice kind="warn">{warning}</Notice>
        ))}
        <Card>
          <Facts of={effects} sums={sums} />
          <Form action={path} hidden={{ ...typed, ...reviewedFields }} bare>
            <div class="actions">
              {button && (
                <Button kind={isDanger ? 'danger' : 'primary'} name="step" value="confirm">
                  {button}
                </Button>
              )}
              {hasForm ? (
                <Button name="step" value="edit">
                  Back to the form
                </Button>
              ) : (
                <ButtonLink href={back.href}>Back</ButtonLink>
              )}
            </div>
          </Form>
        </Card>
      </>
    ),
  };
}

/** Ends a form that has a review. */
export const ReviewButtons = ({ back }: { back?: string }) => (
  <div class="actions">
    <Button kind="primary">See what changes</Button>
    {back !== undefined && <ButtonLink href={back}>Back</ButtonLink>}
  </div>
);

export const reviewedForm = (form: Omit<FormPageProps, 'buttons'> & { back: Link }): Page =>
  formPage({ ...form, buttons: <ReviewButtons back={form.back.href} /> });

/** "old → new". */
export const renderChange = (before: ComponentChildren, after: ComponentChildren) => (
  <>
    {before || 'none'} → <strong>{after || 'none'}</strong>
  </>
);
