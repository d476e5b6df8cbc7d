import type { Control, Reply } from '../control/reply.ts'
import { ApiError } from '../http/api-error.ts'
import { dnsRoutes } from './dns.ts'
import { githubRoutes } from './github.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { overviewPage } from './overview.ts'
import { problemPage } from './page.ts'
import { samlRoutes } from './saml/routes.ts'

async function route(control: Control): Promise<Reply | undefined> {
  const { world, identity, method, url, body } = control
  switch (`${method} ${url.pathname}`) {
    case 'GET /identity':
      return overviewPage(world)
    case 'GET /identity/faults':
      return { status: 200, body: { data: identity.faults.all(), held: identity.faults.held() } }
    case 'POST /identity/faults':
      return { status: 200, body: identity.faults.add(body) }
    case 'DELETE /identity/faults':
      identity.faults.clear()
      return { status: 200, body: { deleted: true } }
    default:
      return (
        (await oidcRoutes(control)) ??
        (await githubRoutes(control)) ??
        (await samlRoutes(control)) ??
        dnsRoutes(control)
      )
  }
}

export async function identityRoutes(control: Control): Promise<Reply | undefined> {
  if (!/^\/identity(\/|$)/.test(control.url.pathname)) return undefined
  try {
    return await route(control)
  } catch (error) {
    // a program reads the error as JSON, a person in a browser on a page
    if (!(error instanceof ApiError) || !control.headers.accept?.includes('text/html')) throw error
    return problemPage('That did not work', error.message)
  }
}
