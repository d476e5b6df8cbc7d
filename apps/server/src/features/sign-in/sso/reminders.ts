import type { Services } from '../../../context.ts'
import { reminderDays, reminderDue } from './rules.ts'
import * as store from './store.ts'

/**
 * Mails the owners 30, 7 and 1 days before the provider's certificate expires, once each. An expired one is still
 * accepted, but the provider will use a new one, which is not.
 */
export async function mailCertificateReminders(services: Services) {
  const now = services.now()
  const before = new Date(now.getTime() + reminderDays[0] * 86_400_000)
  const ending = await services.asSystem('find certificates that expire', tx =>
    store.listExpiring(tx, { after: now, before }),
  )
  for (const { id, account_id, account_name, certificate_expires_at } of ending) {
    const days = reminderDue(certificate_expires_at, now)
    if (days === null) continue
    await services.asSystem('send a certificate reminder', async tx => {
      if (!(await store.markWarned(tx, id, days))) return
      for (const owner of await store.listOwners(tx, account_id)) {
        await services.enqueueMail(tx, {
          kind: 'sso_certificate',
          to: owner.email,
          locale: owner.locale,
          data: {
            name: owner.first_name,
            account_name,
            days,
            url: `${services.config.publicUrl}/account/sso`,
          },
        })
      }
    })
  }
}
