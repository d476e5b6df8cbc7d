import { sandboxUrl } from './urls.ts'

export type Mail = { id: string; subject: string; text: string; html: string; links: string[] }

/** Waits for mails to an address that are newer than the mail `after`; newest first. */
export async function waitForMails(to: string, after: string): Promise<[Mail, ...Mail[]]> {
  const query = new URLSearchParams({ to, after, timeout: '20000' })
  const response = await fetch(`${sandboxUrl}/sandbox/inbox/wait?${query}`)
  const { data } = (await response.json()) as { data: Mail[] } // as: the reply of this path
  const [newest, ...older] = data
  if (!newest) throw new Error(`No mail arrived for ${to}`)
  return [newest, ...older]
}

export const waitForMail = async (to: string, after = '0'): Promise<Mail> =>
  (await waitForMails(to, after))[0]

/** Waits for the mail with this subject and skips others. */
export async function waitForSubject(to: string, subject: RegExp, after = '0'): Promise<Mail> {
  const mails = await waitForMails(to, after)
  return mails.find(mail => subject.test(mail.subject)) ?? waitForSubject(to, subject, mails[0].id)
}

/** Waits for a mail and returns its link with a token; when `screen` is given, a link to that path. */
export async function waitForLink(
  to: string,
  after = '0',
  screen = '',
): Promise<{ url: string; token: string; mail: Mail }> {
  const mails = await waitForMails(to, after)
  const linkOf = ({ links }: Mail) =>
    links.find(link => /[?&](token|id)=/.test(link) && link.includes(screen))
  // Mails that are sent together arrive in any order.
  const mail = (screen && mails.find(linkOf)) || mails[0]
  const url = linkOf(mail)
  if (!url && screen) return waitForLink(to, mail.id, screen)
  if (!url) throw new Error(`The mail “${mail.subject}” has no link with a token`)
  const query = new URL(url).searchParams
  return { url, token: query.get('token') ?? query.get('id') ?? '', mail }
}
