import type { Context } from '../../../../context.ts'
import { issuerOf } from '../../../../integrations/saml/saml.ts'
import * as store from './store.ts'

/**
 * Where to send a browser that brings an answer nobody asked for: the provider began (its tile was clicked), or the
 * request has expired. Such an answer signs nobody in, as any page can have posted it (T-05). But our page can offer the
 * connection of its issuer, where one click begins. The issuer is not verified: it only chooses what is offered, which a
 * link to that page does as well.
 * @returns null when no single connection has this issuer
 */
export async function offerStart(ctx: Context, samlResponse: string): Promise<string | null> {
  const issuer = issuerOf(samlResponse)
  if (!issuer) return null
  const [found, ...more] = await ctx.asSystem('offer single sign-on', tx =>
    store.listEnabledOfIssuer(tx, issuer),
  )
  return found && more.length === 0 ? `/login/saml?connection=${found.id}&begin=here` : null
}
