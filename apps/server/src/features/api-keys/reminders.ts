import type { Services } from '../../context.ts'
import { reminderDays, reminderDue } from './rules.ts'
import * as store from './store.ts'

/** Mails the maker 30, 7 and 1 days before a key expires, each once. */
export async function sendKeyReminders(services: Services) {
  const now = services.now()
  const before = new Date(now.getTime() + reminderDays[0] * 86_400_000)
  const ending = await services.asSystem('find API keys that expire', tx =>
    store.listExpiring(tx, { after: now, before }),
  )
  for (const { id, name, expires_at, warned_days, email, first_name, locale } of ending) {
    const days = expires_at && reminderDue(expires_at, now, warned_days)
    if (days === null) continue
    await services.asSystem('send an API key reminder', async tx => {
      if (!(await store.markWarned(tx, id, days))) return
      await services.enqueueMail(tx, {
        kind: 'api_key_ends',
        to: email,
        locale,
        data: { name: first_name, key: name, days, url: `${services.config.publicUrl}/account/apikeys` },
      })
    })
  }
}
