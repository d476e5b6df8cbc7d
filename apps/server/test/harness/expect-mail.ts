import type { makeTestApp } from '../harness.ts'

type App = Awaited<ReturnType<typeof makeTestApp>>
type Mail = Awaited<ReturnType<App['people']['mailTo']>>

/** Waits for a mail with this subject. Other mails may arrive before and after it. */
export async function expectMail(
  { config, people }: Pick<App, 'config' | 'people'>,
  to: string,
  subject: string | RegExp,
): Promise<Mail> {
  const hasSubject = (mail: Mail) =>
    typeof subject === 'string' ? mail.subject === subject : subject.test(mail.subject)
  for (;;) {
    const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?to=${encodeURIComponent(to)}`)
    const { data } = (await reply.json()) as { data: Mail[] } // as: the sandbox's reply, newest first
    const found = data.find(hasSubject)
    if (found) return found
    await people.mailTo(to, data[0]?.id)
  }
}
