import type { OpenAPIObject } from '@nestjs/swagger';

const ADMIN = '/api/admin/';

/** The store API or the admin API of a document of all routes, with the schemas that it needs. */
export function partOf(document: OpenAPIObject, part: 'stores' | 'admin'): OpenAPIObject {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith(ADMIN) === (part === 'admin')),
  );
  const schemas = document.components?.schemas ?? {};
  const needed = new Set<string>();
  const collect = (value: unknown) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (needed.has(name!)) continue;
      needed.add(name!);
      collect(schemas[name!] ?? {});
    }
  };
  collect(paths);
  const kept = Object.entries(schemas).filter(([name]) => needed.has(name));
  return { ...document, paths, components: { ...document.components, schemas: Object.fromEntries(kept) } };
}
