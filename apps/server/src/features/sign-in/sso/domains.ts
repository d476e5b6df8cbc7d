import { randomBytes } from 'node:crypto'
import type { AuthedContext } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { demandProof } from '../../../identity/step-up.ts'
import { DnsUnavailable } from '../../../integrations/dns.ts'
import { newId } from '../../../lib/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { recordSsoChange } from './audit-change.ts'
import { mostDomains, recordName, recordValue } from './rules.ts'
import { ssoSettingsOf } from './setup.ts'
import * as store from './store.ts'

type Proof = { password?: string; code?: string }

/** Adds a domain, which has no effect until its owner publishes the DNS record. */
export async function addDomain(ctx: AuthedContext, { domain }: { domain: string }) {
  const { account_id } = ctx.actor
  return ctx.asSystem('add a domain', async tx => {
    await lockAccount(tx, account_id, ctx.actor.user_id)
    const known = await store.listDomains(tx, account_id)
    if (known.length >= mostDomains && !known.some(each => each.domain === domain))
      throw new Refusal('invalid_input', {
        field: 'domain',
        text: 'sso.too_many_domains',
        values: { count: mostDomains },
      })
    const created_at = ctx.now()
    const proof = randomBytes(16).toString('hex')
    await store.insertDomain(tx, { id: newId(created_at.getTime()), account_id, domain, proof, created_at })
    return ssoSettingsOf(ctx, tx)
  })
}

/** Checks the DNS record. A proven domain belongs to this account only. */
export async function checkDomain(ctx: AuthedContext, id: string, proof: Proof = {}) {
  await demandProof(ctx, proof)
  const { account_id } = ctx.actor
  const named = await ctx.within(tx => store.findDomain(tx, account_id, id))
  if (!named) throw new Refusal('not_found')
  const texts = named.proven_at ? null : await textsAt(ctx, recordName(named.domain))
  if (texts && !texts.some(text => text.trim() === recordValue(named.proof)))
    throw new Refusal('domain_not_proven')
  return ctx.asSystem('verify a domain', async tx => {
    // Locks the account before its domains, as removing one does.
    await lockAccount(tx, account_id, ctx.actor.user_id)
    if (!(await store.findDomain(tx, account_id, id))) throw new Refusal('not_found')
    if (texts) {
      if (!(await store.markDomainVerified(tx, { ...named, now: ctx.now() })))
        throw new Refusal('domain_taken')
      await recordSsoChange(ctx, tx, { change: 'domain_proven', detail: named.domain })
    }
    return ssoSettingsOf(ctx, tx)
  })
}

async function textsAt(ctx: AuthedContext, name: string): Promise<string[]> {
  try {
    return await ctx.integrations.dns.txt(name)
  } catch (error) {
    if (!(error instanceof DnsUnavailable)) throw error
    throw new Refusal('domain_unreadable', { retryAfter: 5 }, error)
  }
}

/**
 * Removes a domain, but not the last proven one while single sign-on is enforced: that would lock members out.
 */
export async function removeDomain(ctx: AuthedContext, id: string, proof: Proof = {}) {
  await demandProof(ctx, proof)
  const { account_id } = ctx.actor
  return ctx.asSystem('remove a domain', async tx => {
    await lockAccount(tx, account_id, ctx.actor.user_id)
    const connection = await store.findConnection(tx, account_id)
    const left = await store.listDomains(tx, account_id)
    if (connection?.enforced_at && !left.some(each => each.proven_at && each.id !== id))
      throw new Refusal('sso_last_domain')
    const removed = await store.removeDomain(tx, account_id, id)
    if (!removed) throw new Refusal('not_found')
    if (removed.proven_at)
      await recordSsoChange(ctx, tx, { change: 'domain_removed', detail: removed.domain })
    return ssoSettingsOf(ctx, tx)
  })
}
