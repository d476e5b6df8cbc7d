import type { World } from '../world.ts'

interface Call<P> {
  world: World
  /** Checked against the schema named in the route, with the strings of the wire already read. */
  params: P
  /** The :names of the path. */
  id: string
  path: string
  publishable: boolean
  /** What a browser proves its right to an intent with. */
  clientSecret: string | null
}

export interface Route {
  method: string
  pattern: RegExp
  /** The definition that the request has to meet. */
  request: string
  /** May be called from the browser with the publishable key. */
  publishable: boolean
  run: (call: Call<never>) => unknown
}

const routes: Route[] = []

interface Options {
  publishable?: boolean
}

/** Adds a call of the API; P is the SDK's own type of the schema named beside it. */
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
    run: run as Route['run'], // params are read by the schema `request` before run is called
  })
}

export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  for (const one of routes) {
    const match = one.method === method ? one.pattern.exec(path) : null
    if (match) return { route: one, id: decodeURIComponent(match[1] ?? '') }
  }
  return undefined
}
