import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** What is kept with `ValidateNested`, as its context: of which class an object is, or the objects of a list, and how many there may be. */
export interface NestedContext {
  type: () => Type;
  most?: number;
}

export interface NamedField {
  name: string;
  nested: NestedContext | undefined;
}

const known = new Map<Type, NamedField[]>();

/**
 * Copies what the class names and leaves out the rest, at all levels, before anything is made of it: what nobody asked for must
 * not cost anything. Of a list that is too long one too many is kept, so that it is still refused.
 */
export function namedFields(value: unknown, type: Type): unknown {
  if (!isPlainObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const { name, nested } of namedFieldsOf(type)) {
    if (Object.hasOwn(value, name)) kept[name] = nested ? within(value[name], nested) : leaf(value[name]);
  }
  return kept;
}

function within(value: unknown, { type, most = 0 }: NestedContext): unknown {
  if (!Array.isArray(value)) return namedFields(value, type());
  return value.slice(0, most + 1).map((element: unknown) => namedFields(element, type()));
}

/** Nothing that has no class is an object or holds any: that there is one is all that has to be known to refuse it. */
function leaf(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((element: unknown) => (typeof element === 'object' ? null : element));
  return isPlainObject(value) ? {} : value;
}

/** What a request class names, each field once. */
export function namedFieldsOf(type: Type): readonly NamedField[] {
  let fields = known.get(type);
  if (!fields) known.set(type, (fields = readFields(type)));
  return fields;
}

function readFields(type: Type): NamedField[] {
  const all = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...new Set(all.map(({ propertyName }) => propertyName))].map((name) => ({
    name,
    nested: all.find((one) => one.propertyName === name && one.context !== undefined)?.context as
      NestedContext | undefined,
  }));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
