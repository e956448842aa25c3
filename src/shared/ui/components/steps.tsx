import type { ComponentChildren } from 'preact';
import type { Link } from '../page.js';
import { ButtonLink } from './controls.js';
import { Card, Icon } from './layout.js';

export interface SetupStep {
  isDone: boolean;
  text: string;
  /** The page for the step. Without it, this person may not do the step. */
  next?: Link | false;
}

/** The first steps after the installation. The card disappears when all are done. */
export const StepsCard = ({
  steps,
  actions,
}: {
  steps: readonly SetupStep[];
  actions?: ComponentChildren;
}) => {
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return null;
  return (
    <Card title="First steps" actions={actions}>
      <ol class="steps">
        {steps.map((step) => (
          <li class={step.isDone ? 'done' : undefined} aria-current={step === next ? 'step' : undefined}>
            {step.isDone && <Icon name="check" />}
            <span>
              {step.text}
              {step.isDone && <span class="unseen"> (done)</span>}
            </span>
            {step === next && step.next && (
              <ButtonLink href={step.next.href} kind="primary">
                {step.next.text}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
};
