import type { EndpointTable } from '@plinth/contract'

/** Which methods a path knows, from the endpoint tables: a wrong method is a 405 with Allow, not a 404. */
export function methodTable(tables: EndpointTable[]): (path: string) => string[] {
  const known = tables
    .flatMap(table => Object.values(table))
    .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }))
  return path => [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
}
