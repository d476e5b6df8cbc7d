import type { Services } from '../../src/context.ts'
import type { Db } from '../../src/db/pool.ts'
import type { Mail } from '../../src/integrations/mail/mailer.ts'

/** All queued mails, sent or not; the queue keeps them for a day. */
export const queuedMails =
  ({ db, services }: { db: Db; services: Services }) =>
  async (wanted: (mail: Mail) => boolean = () => true): Promise<Mail[]> => {
    const { rows } = await db.asOwnerOfJobs(
      "select data from pgboss.job where name = 'mail.send' order by created_on",
    )
    const jobs = rows as { data: { id: string; sealed: string } }[] // as: what enqueueMail writes
    return jobs
      .map(({ data }): Mail => JSON.parse(services.encrypter.decrypt(data.sealed, `mail ${data.id}`)))
      .filter(wanted)
  }
