import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { locale, time } from '../fields.ts'

const account = { account_id: z.uuid() }
const seen = { created_at: time, last_used_at: time }

/** All stored data about one user, except secrets and their hashes. */
const personalData = z
  .object({
    exported_at: time,
    user: z.object({
      id: z.uuid(),
      email: z.string(),
      pending_email: z.string().nullable(),
      first_name: z.string(),
      last_name: z.string(),
      avatar: z.string().nullable(),
      locale,
      dark_mode: z.boolean(),
      has_password: z.boolean(),
      '2fa_enabled': z.boolean(),
      support_enabled: z.boolean(),
      default_account: z.uuid().nullable(),
      created_at: time,
      verified_at: time.nullable(),
      onboarded_at: time.nullable(),
    }),
    memberships: z.array(
      z.object({ ...account, account_name: z.string(), permission: z.string(), joined_at: time }),
    ),
    sessions: z.array(
      z.object({
        ...account,
        id: z.uuid(),
        method: z.string(),
        user_agent: z.string(),
        network: z.string(),
        ...seen,
        expires_at: time,
      }),
    ),
    known_browsers: z.array(z.object({ network: z.string(), first_used_at: time, last_used_at: time })),
    identities: z.array(z.object({ provider: z.string(), email: z.string().nullable(), ...seen })),
    sso_identities: z.array(z.object({ ...account, name_id: z.string(), ...seen })),
    passkeys: z.array(z.object({ name: z.string(), created_at: time, last_used_at: time.nullable() })),
    notifications: z.array(z.object({ ...account, name: z.string(), active: z.boolean() })),
    feedback: z.array(z.object({ rating: z.string(), comment: z.string(), created_at: time })),
    events: z.array(z.object({ ...account, name: z.string(), metadata: z.string(), created_at: time })),
    audit_log: z.array(
      z.object({
        ...account,
        action: z.string(),
        target: z.string(),
        details: z.record(z.string(), z.string()),
        network: z.string(),
        date_created: time,
      }),
    ),
    complete: z.boolean().meta({
      description:
        'False when there are more events or audit log entries than one reply holds; the newest are included.',
    }),
  })
  .meta({ id: 'PersonalData' })
export type PersonalData = z.infer<typeof personalData>

export const dataExport = endpoints({
  own: {
    method: 'POST',
    path: '/api/user/export',
    summary:
      'Exports all stored data about the signed-in user. A user who signed in by single sign-on gets the data of that account only. The export is recorded in the audit log.',
    needs: 'user',
    stage: 'session',
    limit: 'export',
    reply: personalData,
  },
})
