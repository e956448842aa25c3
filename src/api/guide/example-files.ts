import { readdirSync, readFileSync } from 'node:fs';
import { KeptFile } from '../../platform/http/representation.js';
import { PACKAGE } from '../../platform/package-folder.js';

const FOLDER = new URL('examples/', PACKAGE);

/** The examples and clients. The guide shows them, stores download them, and tests run them. */
const FILES = new Map(
  readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8').trimEnd()]),
);

export const CHANGELOG = readFileSync(new URL('CHANGELOG.md', PACKAGE), 'utf8');

export function exampleText(name: string): string {
  const text = FILES.get(name);
  if (text === undefined) throw new Error(`There is no example ${name}.`);
  return text;
}

/** A file as plain text, so that a browser shows it and runs nothing. */
export function exampleFile(name: string): KeptFile | undefined {
  const text = FILES.get(name);
  return text === undefined ? undefined : new KeptFile('text/plain; charset=utf-8', Buffer.from(`${text}\n`));
}

interface LanguageOfExamples {
  name: string;
  /** The extension of its files. */
  extension: string;
  /** The program that runs a file. Lines of curl are pasted. */
  program?: string;
}

export const LANGUAGES = {
  curl: { name: 'curl', extension: 'sh' },
  php: { name: 'PHP', extension: 'php', program: 'php' },
  python: { name: 'Python', extension: 'py', program: 'python3' },
  node: { name: 'Node.js', extension: 'mjs', program: 'node' },
} as const satisfies Record<string, LanguageOfExamples>;

export type Language = keyof typeof LANGUAGES;

/** The language in the address; curl by default. */
export function readLanguage({ lang }: { lang?: unknown }): Language {
  return typeof lang === 'string' && Object.hasOwn(LANGUAGES, lang) ? (lang as Language) : 'curl';
}

export const downloadPath = (file: string) => `/docs/clients/${file}`;
