import type { ComponentChildren } from 'preact';
import type { Link } from '../page.js';
import { ButtonLink } from './controls.js';
import { Card, Icon } from './layout.js';

export interface Step {
  isDone: boolean;
  text: string;
  /** Where to do it. Without one, this person cannot. */
  next?: Link | false;
}

/** First steps, which tick themselves off. Nothing is shown when all are done. */
export const StepsCard = ({ steps, actions }: { steps: readonly Step[]; actions?: ComponentChildren }) => {
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
