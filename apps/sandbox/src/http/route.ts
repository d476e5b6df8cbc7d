import type { SandboxContext } from '../context.ts'

interface Call<P> {
  context: SandboxContext
  /** Parsed and checked by the route's schema. */
  params: P
  /** The :id of the path. */
  id: string
  path: string
  publishable: boolean
  /** Lets a browser read and confirm its intent. */
  clientSecret: string | null
}

export interface Route {
  method: string
  pattern: RegExp
  /** Name of the request's schema. */
  request: string
  /** Accepts the publishable key, from browsers. */
  publishable: boolean
  run: (call: Call<never>) => unknown
}

const routes: Route[] = []

interface Options {
  publishable?: boolean
}

/** Registers an API call. P is the SDK's type of the request. */
export function route<P>(
  method: string,
  path: string,
  request: string,
  run: (call: Call<P>) => unknown,
  options: Options = {},
) {
  routes.push({
    method,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(':id', '([^/]+)')}$`),
    request,
    publishable: options.publishable ?? false,
    run: run as Route['run'], // as: the schema `request` reads the params before run is called
  })
}

export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  for (const one of routes) {
    const match = one.method === method ? one.pattern.exec(path) : null
    if (match) return { route: one, id: decodeURIComponent(match[1] ?? '') }
  }
  return undefined
}
