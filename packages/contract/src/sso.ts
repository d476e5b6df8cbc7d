import { z } from 'zod'
import { normalDomain } from './email.ts'
import { endpoints } from './endpoint.ts'
import { givenRole, id, nothing, proof, safeText, signedIn, time, token } from './fields.ts'
import { limits } from './patterns.ts'
import { trimPasted } from './text.ts'

const domainName = z
  .string({ error: 'form.required' })
  .min(1, { error: 'form.required' })
  .max(253, { error: 'sso.domain' })
  .meta({ examples: ['northquay.example'] })
  .transform((value, context) => {
    const domain = normalDomain(trimPasted(value).replace(/\.$/, ''))
    // The TXT record is under a name that is longer.
    if (domain && domain.length <= 240) return domain
    context.addIssue({ code: 'custom', message: 'sso.domain' })
    return z.NEVER
  })

const domain = z
  .object({
    id: z.uuid(),
    domain: z.string(),
    record_name: z.string().meta({ description: 'Where the TXT record belongs.' }),
    record_value: z.string().meta({ description: 'What it has to say.' }),
    proven_at: time.nullable(),
  })
  .meta({ id: 'SsoDomain' })

const testResult = z
  .object({
    at: time,
    code: z.string().nullable().meta({ description: 'Why it failed; null when it succeeded.' }),
    found: z.string().nullable().meta({ description: 'What stood where something else was expected.' }),
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
    default_role: givenRole,
    tested_at: time.nullable(),
    test: testResult.nullable(),
    enabled: z.boolean(),
    enforced: z.boolean(),
  })
  .meta({ id: 'SsoConnection' })

const setup = z
  .object({
    service: z.object({
      entity_id: z.string().meta({ description: 'Also where our metadata is.' }),
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
          .meta({ description: 'Keeps the other ways in while single sign-on is enforced.' }),
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
    summary: 'How single sign-on is set up in this account.',
    needs: 'owner',
    support: false,
    reply: setup,
  },
  addDomain: {
    method: 'POST',
    path: '/api/sso/domains',
    summary: 'Names a domain to be proven by a TXT record.',
    needs: 'owner',
    limit: 'write',
    body: z.strictObject({ domain: domainName }),
    reply: setup,
  },
  checkDomain: {
    method: 'POST',
    path: '/api/sso/domains/:id/check',
    summary: 'Looks for the TXT record. From then on the connection may speak for addresses of the domain.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['not_found', 'domain_not_proven', 'domain_taken', 'domain_unreadable', ...guarded],
    params: byId,
    body: z.strictObject({ ...proof }),
    reply: setup,
  },
  removeDomain: {
    method: 'DELETE',
    path: '/api/sso/domains/:id',
    summary:
      'Takes a domain away. People with addresses of it can no longer sign in through the connection; the last one stays while that is required.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['not_found', 'sso_last_domain', ...guarded],
    params: byId,
    body: z.strictObject({ ...proof }),
    reply: setup,
  },
  connect: {
    method: 'PUT',
    path: '/api/sso/connection',
    summary:
      'Connects the identity provider that a metadata document describes, given by its https address or as XML. Another provider starts anew: not enabled, not enforced, and nobody linked.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['sso_metadata', ...guarded],
    // JSON writes quotes and line ends as two characters each.
    maxBody: 2.5 * limits.metadata_bytes,
    body: z.strictObject({
      metadata_url: safeText(2048)
        .meta({ examples: ['https://idp.northquay.example/metadata'] })
        .optional(),
      // Line ends are part of XML; its reader looks at every character.
      metadata_xml: z
        .string({ error: 'form.required' })
        .max(limits.metadata_bytes, { error: 'sso.metadata.too_large' })
        .optional(),
      ...proof,
    }),
    reply: setup,
  },
  change: {
    method: 'PATCH',
    path: '/api/sso/connection',
    summary:
      'Enables or disables the connection, enforces it with owners who keep their other ways in, or changes the role of new members.',
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
          description: 'Ids of owners; needed with `enforced: true`.',
          examples: [['019a9f3e-6c1d-7b52-8e44-1f0a5c2b9d10']],
        }),
      default_role: givenRole.optional(),
      ...proof,
    }),
    reply: setup,
  },
  disconnect: {
    method: 'DELETE',
    path: '/api/sso/connection',
    summary: 'Removes the connection and who is linked to it, and ends the sessions it opened.',
    needs: 'owner',
    sensitive: true,
    limit: 'write',
    refuses: ['sso_not_set_up', ...guarded],
    body: z.strictObject({ ...proof }),
    reply: setup,
  },
  test: {
    method: 'POST',
    path: '/api/sso/test',
    summary:
      'Begins a test sign-in: answers the address of the provider to open. What came of it is in the set-up.',
    needs: 'owner',
    limit: 'write',
    refuses: ['sso_not_set_up'],
    body: nothing.optional(),
    reply: z.object({ url: z.string() }),
  },
  finish: {
    method: 'POST',
    path: '/auth/saml/callback',
    summary: 'Signs in with the one-time token that the return from the identity provider carries.',
    needs: 'public',
    sensitive: true,
    limit: 'sso',
    refuses: ['sso_failed', 'sso_email_missing', 'sso_domain_unproven', 'sso_not_member', 'account_full'],
    body: z.strictObject({ token }),
    reply: signedIn,
  },
})
