/** Replaces methods of a service during this work. They are the service's own again, even if the work fails. */
export async function withMethods<Service extends object, Result>(
  service: Service,
  methods: Partial<Service>,
  work: () => Promise<Result>,
): Promise<Result> {
  Object.assign(service, methods);
  try {
    return await work();
  } finally {
    // The methods of the class stand in its prototype.
    for (const name of Object.keys(methods)) Reflect.deleteProperty(service, name);
  }
}
