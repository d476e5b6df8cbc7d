import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { email, locale, name, role } from './fields.ts'

const profileFields = z.object({
  id: z.uuid(),
  name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  avatar: z.string().nullable(),
  verified: z.boolean(),
  has_password: z.boolean(),
  dark_mode: z.boolean(),
  locale,
  permission: role,
  account_id: z.uuid(),
  account_name: z.string().optional(),
  default_account: z.uuid().nullable(),
  duplicate_user: z.boolean(),
  onboarded: z.boolean(),
  date_created: z.string(),
})

export const profile = endpoints({
  read: {
    method: 'GET',
    path: '/api/user',
    summary: "The signed-in user's own profile; account_name for owners.",
    needs: 'user',
    stage: 'session',
    reply: profileFields,
  },
  update: {
    method: 'PATCH',
    path: '/api/user',
    summary: 'Changes the fields that are sent, of the signed-in user alone.',
    needs: 'user',
    stage: 'session',
    limit: 'write',
    refuses: ['permission_required', 'email_not_changeable'],
    body: z.strictObject({
      first_name: name.optional(),
      last_name: name.optional(),
      email: email.optional(),
      account_name: name.optional(),
      dark_mode: z.boolean({ error: 'form.invalid' }).optional(),
      onboarded: z.boolean({ error: 'form.invalid' }).optional(),
      locale: z.enum(['en', 'de'], { error: 'form.invalid' }).optional(),
    }),
    reply: profileFields,
  },
})
