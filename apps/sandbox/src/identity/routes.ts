import type { ControlCall, ControlReply } from '../control/reply.ts'
import { ApiError } from '../http/api-error.ts'
import { githubRoutes } from './github.ts'
import { overviewPage } from './identity-overview-page.ts'
import { dnsRoutes } from './name-server.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { samlRoutes } from './saml/routes.ts'
import { problemPage } from './sign-in-page.ts'

async function route(control: ControlCall): Promise<ControlReply | undefined> {
  if (control.method === 'GET' && control.url.pathname === '/identity') return overviewPage(control.context)
  return (
    (await oidcRoutes(control)) ?? githubRoutes(control) ?? (await samlRoutes(control)) ?? dnsRoutes(control)
  )
}

export async function identityRoutes(control: ControlCall): Promise<ControlReply | undefined> {
  if (!/^\/identity(\/|$)/.test(control.url.pathname)) return undefined
  try {
    return await route(control)
  } catch (error) {
    // Programs get the error as JSON, browsers as a page.
    if (!(error instanceof ApiError) || !control.headers.accept?.includes('text/html')) throw error
    return problemPage('That did not work', error.message)
  }
}
