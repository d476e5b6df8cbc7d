import type { Services } from '../../context.ts'
import { recordAudit } from '../../identity/audit.ts'
import { coarseNetwork, deviceOf } from '../../identity/device-labels.ts'
import { wantsMail } from '../../identity/mail-preferences.ts'
import { hashToken, newToken } from '../../lib/crypto.ts'
import { isLocale } from '../../lib/i18n.ts'
import * as store from './store.ts'

const linkDays = 7

/** In UTC, because the time zone of the user is unknown. */
const moment = (at: Date, locale: string) =>
  new Intl.DateTimeFormat(isLocale(locale) ? locale : 'en', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at)

/**
 * The job after a sign-in from an unknown browser and network: mails a link that ends the sign-in, and records it in
 * the audit log. Does nothing when the session has ended.
 */
export async function mailNewDevice(services: Services, { session_id }: { session_id: string }) {
  await services.asSystem('mail about a new device', async tx => {
    const session = await store.findNewDeviceMail(tx, session_id)
    if (!session) return
    const { sign_in_id, account_id, user_id, user_agent, network, created_at, email, first_name, locale } =
      session
    const now = services.now()
    const token = newToken()
    const expires_at = new Date(now.getTime() + linkDays * 86_400_000)
    const made = await store.insertSignInLink(tx, {
      token_hash: hashToken(token),
      sign_in_id,
      user_id,
      created_at: now,
      expires_at,
    })
    if (!made) return
    await recordAudit(services, tx, {
      account_id,
      user_id,
      action: 'session.new_device',
      target: session.id,
      metadata: deviceOf(user_agent),
      network,
    })
    // The audit log has the sign-in even when the user wants no mail.
    if (!(await wantsMail(tx, user_id, account_id, 'new_signin'))) return
    await services.enqueueMail(
      tx,
      {
        kind: 'new_signin',
        to: email,
        locale,
        data: {
          name: first_name,
          ...deviceOf(user_agent),
          network: coarseNetwork(network),
          at: moment(created_at, locale),
          url: `${services.config.publicUrl}/signin/end?token=${token}`,
          days: linkDays,
        },
      },
      { expiresAt: expires_at },
    )
  })
}
