import type { Context, Tx } from '../../../context.ts'
import type { Profile, Provider } from '../../../integrations/oauth/identity-providers.ts'
import { hashToken, newToken } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import * as store from './store.ts'

/** How long the page may take to exchange the token. */
const signInTokenSeconds = 120

/** The encrypted content of a sign-in token. */
export type TokenContent = { provider: Provider['id']; profile: Profile }

/**
 * Creates a token for the page, valid once, for a short time and in this browser only. It is never a token of the
 * provider.
 * @returns the URL of the redirect
 */
export async function createSignInToken(ctx: Context, browser: Buffer, said: TokenContent): Promise<string> {
  const token = newToken()
  const created_at = ctx.now()
  const id = newId(created_at.getTime())
  await ctx.asSystem('store a social sign-in token', tx =>
    store.insertSignInToken(tx, {
      id,
      token_hash: hashToken(token),
      browser,
      sealed: ctx.encrypter.encrypt(JSON.stringify(said), socialSignInTokenBinding(id)),
      created_at,
      expires_at: new Date(created_at.getTime() + signInTokenSeconds * 1000),
    }),
  )
  return `/login/social?${new URLSearchParams({ provider: said.provider, token })}`
}

/** Uses a token. Null when it was used, has expired, or belongs to another browser. */
export async function consumeSignInToken(ctx: Context, tx: Tx, token: string): Promise<TokenContent | null> {
  const browser = ctx.flow.known()
  if (!browser) return null
  const taken = await store.consumeSignInToken(tx, { token_hash: hashToken(token), browser, now: ctx.now() })
  return taken ? JSON.parse(ctx.encrypter.decrypt(taken.sealed, socialSignInTokenBinding(taken.id))) : null
}

export const socialSignInTokenBinding = (id: string) => `social sign-in token ${id}`
