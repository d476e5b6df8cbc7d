import type { World } from './context.ts'
import { handleNotice, settleAttempt } from './features/billing/jobs.ts'
import { takeUpNotices } from './features/billing/notices.ts'
import type { Queue } from './jobs/queue.ts'
import { sweep } from './jobs/sweep.ts'
import { type Mail, type Mailer, PermanentMailError } from './outside/mail.ts'

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
  await queue.work('billing.settle', data => settleAttempt(world, data))
  await queue.work('billing.notice', data => handleNotice(world, data))
  await queue.work('upkeep.sweep', async () => {
    await sweep(world)
    await takeUpNotices(world)
  })
  await queue.schedule('upkeep.sweep', '17 * * * *')
}
