import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import type { Permission } from '../roles.ts'

/** Optional mails, and the permission that a user needs to receive them. */
export const notificationPermissions = {
  new_signin: 'user',
  plan_updated: 'owner',
  card_updated: 'owner',
  invite_accepted: 'admin',
} as const satisfies Record<string, Permission>
export type NotificationName = keyof typeof notificationPermissions
export const notificationNames = Object.keys(notificationPermissions) as NotificationName[] // as: keys of the record above

const setting = z
  .object({ name: z.enum(notificationNames), active: z.boolean() })
  .meta({ id: 'NotificationSetting' })
export type NotificationSetting = z.infer<typeof setting>
const on = z.boolean({ error: 'form.invalid' }).optional()

export const notifications = endpoints({
  list: {
    method: 'GET',
    path: '/api/notification',
    summary: 'Lists the optional mails of the current account that the user’s role can receive.',
    needs: 'user',
    reply: z.array(setting),
  },
  update: {
    method: 'PATCH',
    path: '/api/notification',
    summary: 'Switches mails on or off; omitted fields keep their value.',
    needs: 'user',
    limit: 'write',
    refuses: ['permission_required'],
    body: z.strictObject({
      new_signin: on,
      plan_updated: on,
      card_updated: on,
      invite_accepted: on,
    } satisfies Record<NotificationName, typeof on>),
    reply: z.array(setting),
  },
})
