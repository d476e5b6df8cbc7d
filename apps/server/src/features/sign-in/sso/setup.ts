import { X509Certificate } from 'node:crypto'
import type { SsoSetup, SsoTestResult } from '@plinth/contract'
import { isAssignableRole } from '@plinth/contract/roles'
import type { AuthedContext, Tx } from '../../../context.ts'
import { requireConnection } from './lock-connection.ts'
import { recordName, recordValue } from './rules.ts'
import { serviceOf } from './service-provider.ts'
import { createRequest } from './sign-in/start.ts'
import * as store from './store.ts'

export const readSsoSettings = (ctx: AuthedContext): Promise<SsoSetup> =>
  ctx.within(tx => ssoSettingsOf(ctx, tx))

/** The state of single sign-on, which every call of the settings screen returns. */
export async function ssoSettingsOf(ctx: AuthedContext, tx: Tx): Promise<SsoSetup> {
  const { account_id } = ctx.actor
  const connection = await store.findConnection(tx, account_id)
  const { entityId, acsUrl } = serviceOf(ctx.config)
  const signs = Boolean(connection?.sealed_key)
  return {
    service: {
      entity_id: entityId,
      acs_url: acsUrl,
      metadata_url: connection && signs ? `${entityId}?connection=${connection.id}` : entityId,
    },
    domains: (await store.listDomains(tx, account_id)).map(({ id, domain, proof, proven_at }) => ({
      id,
      domain,
      record_name: recordName(domain),
      record_value: recordValue(proof),
      proven_at: proven_at?.toISOString() ?? null,
    })),
    connection: connection && shown(connection),
    owners: (await store.listOwners(tx, account_id)).map(owner => ({
      id: owner.id,
      name: `${owner.first_name} ${owner.last_name}`.trim(),
      email: owner.email,
      has_password: Boolean(owner.has_password),
      break_glass: Boolean(owner.break_glass),
    })),
  }
}

function shown(row: NonNullable<store.ConnectionRow>): SsoSetup['connection'] {
  const { id, idp_entity_id, sso_url, metadata_url, default_role, test_result } = row
  return {
    id,
    idp_entity_id,
    sso_url,
    metadata_url,
    certificates: row.certificates.map(pem => {
      const { fingerprint256, validTo } = new X509Certificate(pem)
      return { fingerprint: fingerprint256, expires_at: new Date(validTo).toISOString() }
    }),
    signs_requests: row.sealed_key !== null,
    default_role: isAssignableRole(default_role) ? default_role : 'user',
    tested_at: row.tested_at?.toISOString() ?? null,
    test: test_result as SsoTestResult | null, // as: only the test sign-in writes it, in this shape
    enabled: row.enabled_at !== null,
    enforced: row.enforced_at !== null,
  }
}

/** A page load carries no session token, so this call returns the URL instead of redirecting. */
export async function startTest(ctx: AuthedContext) {
  const connection = await ctx.within(tx => requireConnection(ctx, tx))
  return { url: await createRequest(ctx, connection, 'test') }
}
