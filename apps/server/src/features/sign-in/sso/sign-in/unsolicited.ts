import type { Context } from '../../../../context.ts'
import { issuerOf } from '../../../../integrations/saml/saml.ts'
import * as store from './store.ts'

/**
 * The redirect for a response without a request: started at the provider, or too late. It creates no session, because
 * any page can post one; our page offers the connection of its issuer instead. The issuer is not verified: it only
 * chooses the offer, which a plain link can do as well.
 * @returns null when no single connection has this issuer
 */
export async function offerConnection(ctx: Context, samlResponse: string): Promise<string | null> {
  const issuer = issuerOf(samlResponse)
  if (!issuer) return null
  const [found, ...more] = await ctx.asSystem('find the SSO connection of a domain', tx =>
    store.listEnabledOfIssuer(tx, issuer),
  )
  return found && more.length === 0 ? `/login/saml?connection=${found.id}&begin=here` : null
}
