import { DomainError } from '../../platform/errors/domain-error.js';
import type { DescribedField } from '../../platform/validation/described-field.js';
import { readFields } from '../../platform/validation/readers.js';
import { readLine } from '../../platform/validation/texts.js';
import { parseDiscount } from '../../read-model/products/plan-price.js';
import type { Plan } from './plan.entity.js';

interface PlanField extends DescribedField {
  /** Parses a text, or refuses it. */
  read(text: string): string;
  /** The value on pages, if it differs from the stored text. */
  words?(value: string): string;
  /** The value in answers and the audit log, if it differs from the stored value. */
  answer?(value: string): number;
}

const MAX_NAME_LENGTH = 200;

/**
 * The fields of a plan that people set. Forms, reviews, commands, answers and the check of an old form follow
 * from this list.
 */
export const PLAN_FIELDS = {
  name: {
    label: 'Name',
    hint: 'If it is left out, a new plan is named by its code.',
    maxLength: MAX_NAME_LENGTH,
    read: (text) => readLine('name', text, MAX_NAME_LENGTH),
  },
  discount: {
    label: 'Discount in percent',
    hint: 'Off the base prices, 0 to 100. 9.75, for example, is 5 % below a plan with 5 % off.',
    maxLength: 10,
    isRequired: true,
    inputMode: 'decimal',
    read: readDiscount,
    words: (value) => `${Number(value)} %`,
    answer: Number,
  },
} as const satisfies { [Name in keyof Plan]?: PlanField };

export type PlanFieldName = keyof typeof PLAN_FIELDS;

/** Stored values. */
export type PlanValues = Pick<Plan, PlanFieldName>;

/** New texts of fields. */
export type PlanChange = Partial<Record<PlanFieldName, string>>;

const fieldOf = (name: PlanFieldName): PlanField => PLAN_FIELDS[name];

export const PLAN_NAMES = Object.keys(PLAN_FIELDS) as PlanFieldName[];

export const planWords = (plan: PlanValues) => (name: PlanFieldName) =>
  fieldOf(name).words?.(plan[name]) ?? plan[name];

/** The values as texts for a form. */
export const planTyped = (plan: PlanValues) => (name: PlanFieldName) =>
  String(fieldOf(name).answer?.(plan[name]) ?? plan[name]);

/** The values of a form as a text that it sends back, to notice another person's change. */
export const planAsText = (plan: PlanValues) => JSON.stringify(PLAN_NAMES.map(planTyped(plan)));

/** Parses the given fields. Reports all faults at once, by field. */
export function readPlan(change: PlanChange): Partial<PlanValues> {
  const changed = PLAN_NAMES.filter((name) => change[name] !== undefined);
  return readFields<Record<string, string>>(
    Object.fromEntries(changed.map((name) => [name, () => fieldOf(name).read(change[name]!)])),
  );
}

export function planAnswer(plan: PlanValues) {
  const values = PLAN_NAMES.map((name) => [name, fieldOf(name).answer?.(plan[name]) ?? plan[name]]);
  return Object.fromEntries(values) as { name: string; discount: number };
}

function readDiscount(text: string): string {
  const parsed = parseDiscount(text);
  if ('fault' in parsed) throw new DomainError('invalid_value', `The discount ${parsed.fault}.`);
  return String(parsed.basisPoints / 100);
}
