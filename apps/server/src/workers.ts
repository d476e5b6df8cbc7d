import type { World } from './context.ts'
import { remindOfKeys } from './features/api-keys/reminders.ts'
import { mailLink } from './features/auth/links.ts'
import { mailWarning } from './features/auth/sign-in-warning.ts'
import { settleClosing, takeUpClosings } from './features/billing/closing.ts'
import { handleNotice, settleAttempt } from './features/billing/jobs.ts'
import { carryUsage } from './features/billing/meter.ts'
import { takeUpNotices } from './features/billing/notices.ts'
import { reconcile } from './features/billing/reconcile.ts'
import { refundPayment } from './features/billing/refund.ts'
import { carrySeats } from './features/billing/seats.ts'
import { clearFiles } from './features/profile/files.ts'
import { tellOfNewDevice } from './features/sessions/new-device.ts'
import { remindOfCertificates } from './features/sso/reminders.ts'
import type { Queue } from './jobs/queue.ts'
import { reseal } from './jobs/reseal.ts'
import { sweep } from './jobs/sweep.ts'
import { type Mail, type Mailer, PermanentMailError } from './integrations/mail/mailer.ts'
import { sealedColumns } from './encrypted-columns.ts'

/** Which function does which job: the workers' table of contents. */
export async function startWorkers(queue: Queue, world: World, mailer: Mailer) {
  await queue.work('mail.send', async ({ id, sealed, expires_at }) => {
    if (expires_at && new Date(expires_at) <= world.now()) {
      world.log.error({ id }, 'mail never left: its link has run out')
      return
    }
    const mail: Mail = JSON.parse(world.sealer.open(sealed, `mail ${id}`))
    try {
      await mailer.send(mail, { messageId: id })
    } catch (error) {
      if (!(error instanceof PermanentMailError)) throw error
      world.log.warn({ err: error, kind: mail.kind }, 'mail refused for good')
    }
  })
  await queue.work('auth.mail_link', data => mailLink(world, data))
  await queue.work('sessions.new_device', data => tellOfNewDevice(world, data))
  await queue.work('auth.warn_owner', data => mailWarning(world, data))
  await queue.work('billing.settle', data => settleAttempt(world, data))
  await queue.work('billing.notice', data => handleNotice(world, data))
  await queue.work('billing.close', data => settleClosing(world, data))
  await queue.work('billing.refund', data => refundPayment(world, data))
  await queue.work('billing.carry', async () => {
    await carrySeats(world)
    await carryUsage(world)
  })
  await queue.work('billing.reconcile', async data => {
    await reconcile(world, data)
  })
  await queue.work('files.clear', () => clearFiles(world))
  await queue.work('upkeep.sweep', async () => {
    await sweep(world)
    await takeUpNotices(world)
    await takeUpClosings(world)
    await remindOfCertificates(world)
    await remindOfKeys(world)
    // Last: a storage that is away must not keep payments and reminders waiting.
    await clearFiles(world)
  })
  await queue.work('secrets.reseal', () => reseal(world, sealedColumns))
  // At once after a rotation, then hourly: a process with the earlier settings may still be sealing.
  if (world.config.secrets.length > 1)
    await world.asSystem('seal again', tx => world.enqueue(tx, 'secrets.reseal', {}, { key: 'all' }))
  await queue.schedule('secrets.reseal', '47 * * * *')
  await queue.schedule('upkeep.sweep', '17 * * * *')
  await queue.schedule('billing.carry', '* * * * *')
  // In the night of few; the provider's own renewals are spread over the day.
  await queue.schedule('billing.reconcile', '41 3 * * *')
}
