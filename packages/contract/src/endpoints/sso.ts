import { z } from 'zod'
import { normalizeDomain } from '../email.ts'
import { endpoints } from '../endpoint.ts'
import {
  assignableRole,
  emptyObject,
  id,
  proofFields,
  safeText,
  signInReply,
  time,
  token,
} from '../fields.ts'
import { limits } from '../patterns.ts'
import { trimBlanks } from '../text.ts'

const domainName = z
  .string({ error: 'form.required' })
  .min(1, { error: 'form.required' })
  .max(253, { error: 'sso.domain' })
  .meta({ examples: ['northquay.example'] })
  .transform((value, context) => {
    const domain = normalizeDomain(trimBlanks(value).replace(/\.$/, ''))
    // Leaves room for the prefix of the TXT record's name.
    if (domain && domain.length <= 240) return domain
    context.addIssue({ code: 'custom', message: 'sso.domain' })
    return z.NEVER
  })

const domain = z
  .object({
    id: z.uuid(),
    domain: z.string(),
    record_name: z.string().meta({ description: 'Name of the TXT record.' }),
    record_value: z.string().meta({ description: 'Value of the TXT record.' }),
    proven_at: time.nullable(),
  })
  .meta({ id: 'SsoDomain' })

const testResult = z
  .object({
    at: time,
    code: z.string().nullable().meta({ description: 'Error code; null when the test succeeded.' }),
    found: z.string().nullable().meta({ description: 'The value that differed from the expected one.' }),
    name_id: z.string().nullable(),
    email: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
  })
  .meta({ id: 'SsoTestResult' })
export type SsoTestResult = z.infer<typeof testResult>

const connection = z
  .object({
    id: z.uuid(),
    idp_entity_id: z.string(),
    sso_url: z.string(),
    metadata_url: z.string().nullable(),
    certificates: z.array(z.object({ fingerprint: z.string(), expires_at: time })),
    signs_requests: z.boolean(),
    default_role: assignableRole,
    tested_at: time.nullable(),
    test: testResult.nullable(),
    enabled: z.boolean(),
    enforced: z.boolean(),
  })
  .meta({ id: 'SsoConnection' })

const setup = z
  .object({
    service: z.object({
      entity_id: z.string().meta({ description: 'Also the address of our metadata.' }),
      acs_url: z.string(),
      metadata_url: z.string(),
    }),
    domains: z.array(domain),
    connection: connection.nullable(),
    owners: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        email: z.string(),
        has_password: z.boolean(),
        break_glass: z
          .boolean()
          .meta({ description: 'Keeps the other sign-in methods while single sign-on is enforced.' }),
      }),
    ),
  })
  .meta({ id: 'SsoSetup' })
export type SsoSetup = z.infer<typeof setup>

const guarded = ['proof_required', 'password_wrong', 'code_wrong'] as const
const byId = z.strictObject({ id })

export const sso = endpoints({
  read: {
    method: 'GET',
    path: '/api/sso',
    summary: 'Returns the single sign-on settings of the account.',
    needs: 'owner',
    support: false,
    reply: setup,
  },
  addDomain: {
    method: 'POST',
    path: '/api/sso/domains',
    summary: 'Adds a domain, to be verified by a TXT record.',
    needs: 'owner',
    limit: 'write',
    body: z.strictObject({ domain: domainName }),
    reply: setup,
  },
  checkDomain: {
    method: 'POST',
    path: '/api/sso/domains/:id/check',
    summary: 'Verifies a domain by its TXT record. The connection can then sign in addresses of the domain.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['not_found', 'domain_not_proven', 'domain_taken', 'domain_unreadable', ...guarded],
    params: byId,
    body: z.strictObject({ ...proofFields }),
    reply: setup,
  },
  removeDomain: {
    method: 'DELETE',
    path: '/api/sso/domains/:id',
    summary:
      'Removes a domain. Its addresses can no longer sign in through the connection. Refused for the last domain while single sign-on is enforced.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['not_found', 'sso_last_domain', ...guarded],
    params: byId,
    body: z.strictObject({ ...proofFields }),
    reply: setup,
  },
  connect: {
    method: 'PUT',
    path: '/api/sso/connection',
    summary:
      'Connects an identity provider by its metadata, given as an https address or as XML. A different provider starts disabled, not enforced and without linked users.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['sso_metadata', ...guarded],
    // JSON escapes quotes and line ends to two characters each.
    maxBody: 2.5 * limits.metadata_bytes,
    body: z.strictObject({
      metadata_url: safeText(2048)
        .meta({ examples: ['https://idp.northquay.example/metadata'] })
        .optional(),
      // XML contains line ends; the XML parser checks every character.
      metadata_xml: z
        .string({ error: 'form.required' })
        .max(limits.metadata_bytes, { error: 'sso.metadata.too_large' })
        .optional(),
      ...proofFields,
    }),
    reply: setup,
  },
  change: {
    method: 'PATCH',
    path: '/api/sso/connection',
    summary:
      'Enables, disables or enforces the connection, or changes the default role. Enforcing needs owners who keep their other sign-in methods.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['sso_not_set_up', 'sso_not_tested', 'sso_last_domain', 'sso_break_glass', ...guarded],
    body: z.strictObject({
      enabled: z.boolean({ error: 'form.invalid' }).optional(),
      enforced: z.boolean({ error: 'form.invalid' }).optional(),
      break_glass: z
        .array(id)
        .max(50, { error: 'form.invalid' })
        .optional()
        .meta({
          description: 'Ids of owners; required with `enforced: true`.',
          examples: [['019a9f3e-6c1d-7b52-8e44-1f0a5c2b9d10']],
        }),
      default_role: assignableRole.optional(),
      ...proofFields,
    }),
    reply: setup,
  },
  disconnect: {
    method: 'DELETE',
    path: '/api/sso/connection',
    summary: 'Removes the connection, unlinks its users and ends their sessions from it.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['sso_not_set_up', ...guarded],
    body: z.strictObject({ ...proofFields }),
    reply: setup,
  },
  test: {
    method: 'POST',
    path: '/api/sso/test',
    summary: 'Starts a test sign-in and returns the provider’s URL to open. The result is in GET /api/sso.',
    needs: 'owner',
    limit: 'write',
    refuses: ['sso_not_set_up'],
    body: emptyObject.optional(),
    reply: z.object({ url: z.string() }),
  },
  finish: {
    method: 'POST',
    path: '/auth/saml/callback',
    summary: 'Signs in with the one-time token from the identity provider’s callback.',
    needs: 'public',
    sensitive: true,
    limit: 'sso',
    refuses: ['sso_failed', 'sso_email_missing', 'sso_domain_unproven', 'sso_not_member', 'account_full'],
    body: z.strictObject({ token }),
    reply: signInReply,
  },
})
