import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import type { Permission } from './roles.ts'

/** What a person may be written to about and can do without, and whom it can ever concern (specification, section 9). */
export const notificationNeeds = {
  new_signin: 'user',
  plan_updated: 'owner',
  card_updated: 'owner',
  invite_accepted: 'admin',
} as const satisfies Record<string, Permission>
export type NotificationName = keyof typeof notificationNeeds
export const notificationNames = Object.keys(notificationNeeds) as NotificationName[] // as: keys of the record above

const setting = z
  .object({ name: z.enum(notificationNames), active: z.boolean() })
  .meta({ id: 'NotificationSetting' })
export type NotificationSetting = z.infer<typeof setting>
const on = z.boolean({ error: 'form.invalid' }).optional()

export const notifications = endpoints({
  list: {
    method: 'GET',
    path: '/api/notification',
    summary: 'Which mails the signed-in user wants of the current account; those that their role can get.',
    needs: 'user',
    reply: z.array(setting),
  },
  update: {
    method: 'PATCH',
    path: '/api/notification',
    summary: 'Switches mails on or off; what is not sent stays as it is.',
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
