import type { Application } from 'express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** The methods that the app's own routes know for this path, HEAD included where GET is. */
export function allowedMethods(app: Application, path: string): string[] {
  const layers = (app.router as unknown as { stack: Layer[] }).stack;
  const methods = layers
    .filter((layer) => layer.route && !layer.route.path.includes('*') && layer.match(path))
    .flatMap((layer) => Object.keys(layer.route!.methods).map((method) => method.toUpperCase()));
  if (methods.includes('GET')) methods.push('HEAD');
  return [...new Set(methods)].toSorted();
}
