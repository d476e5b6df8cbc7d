import type { Services } from './context.ts'
import { sealedColumns } from './encrypted-columns.ts'
import { deleteOrphanedFiles } from './features/account/profile/picture.ts'
import { sendKeyReminders } from './features/api-keys/reminders.ts'
import { settleAttempt } from './features/billing/attempts/settle-attempt.ts'
import { finishClosing, requeueClosings } from './features/billing/closing/close-account.ts'
import { reconcile } from './features/billing/reconcile/reconcile.ts'
import { syncSeats } from './features/billing/seats/sync-seats.ts'
import { refundPayment } from './features/billing/sync/refund.ts'
import { reportPendingUsage } from './features/billing/usage/report-usage.ts'
import { handleWebhook } from './features/billing/webhooks/handle-webhook.ts'
import { requeueWebhooks } from './features/billing/webhooks/webhooks.ts'
import { mailNewDevice } from './features/sessions/new-device.ts'
import { mailLink } from './features/sign-in/mailed-link/mailed-link.ts'
import { mailWarning } from './features/sign-in/password/warn-owner.ts'
import { mailCertificateReminders } from './features/sign-in/sso/reminders.ts'
import { type Mail, type Mailer, PermanentMailError } from './integrations/mail/mailer.ts'
import type { Queue } from './jobs/queue.ts'
import { reseal } from './jobs/reseal.ts'
import { sweep } from './jobs/sweep.ts'

/** Which function does which job: the workers' table of contents. */
export async function startWorkers(queue: Queue, services: Services, mailer: Mailer) {
  await queue.work('mail.send', async ({ id, sealed, expires_at }) => {
    if (expires_at && new Date(expires_at) <= services.now()) {
      services.log.error({ id }, 'mail never left: its link has run out')
      return
    }
    const mail: Mail = JSON.parse(services.encrypter.decrypt(sealed, `mail ${id}`))
    try {
      await mailer.send(mail, { messageId: id })
    } catch (error) {
      if (!(error instanceof PermanentMailError)) throw error
      services.log.warn({ err: error, kind: mail.kind }, 'mail refused for good')
    }
  })
  await queue.work('auth.mail_link', data => mailLink(services, data))
  await queue.work('sessions.new_device', data => mailNewDevice(services, data))
  await queue.work('auth.warn_owner', data => mailWarning(services, data))
  await queue.work('billing.settle', data => settleAttempt(services, data))
  await queue.work('billing.webhook', data => handleWebhook(services, data))
  await queue.work('billing.close', data => finishClosing(services, data))
  await queue.work('billing.refund', data => refundPayment(services, data))
  await queue.work('billing.sync_seats_and_usage', async () => {
    await syncSeats(services)
    await reportPendingUsage(services)
  })
  await queue.work('billing.reconcile', async data => {
    await reconcile(services, data)
  })
  await queue.work('files.clear', () => deleteOrphanedFiles(services))
  await queue.work('upkeep.sweep', async () => {
    await sweep(services)
    await requeueWebhooks(services)
    await requeueClosings(services)
    await mailCertificateReminders(services)
    await sendKeyReminders(services)
    // Last: a storage that is away must not keep payments and reminders waiting.
    await deleteOrphanedFiles(services)
  })
  await queue.work('secrets.reseal', () => reseal(services, sealedColumns))
  // At once after a rotation, then hourly: a process with the earlier settings may still be sealing.
  if (services.config.secrets.length > 1)
    await services.asSystem('seal again', tx => services.enqueue(tx, 'secrets.reseal', {}, { key: 'all' }))
  await queue.schedule('secrets.reseal', '47 * * * *')
  await queue.schedule('upkeep.sweep', '17 * * * *')
  await queue.schedule('billing.sync_seats_and_usage', '* * * * *')
  // In the night of few; the provider's own renewals are spread over the day.
  await queue.schedule('billing.reconcile', '41 3 * * *')
}
