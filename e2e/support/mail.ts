import { sandbox } from './places.ts'

export type Mail = { id: string; subject: string; text: string; html: string; links: string[] }

/** The newest mail to an address, newer than the given one. */
export async function waitForMail(to: string, after = '0'): Promise<Mail> {
  const query = new URLSearchParams({ to, after, timeout: '20000' })
  const response = await fetch(`${sandbox}/sandbox/inbox/wait?${query}`)
  const { data } = (await response.json()) as { data: Mail[] } // as: the sandbox answers its own mails
  const [mail] = data
  if (!mail) throw new Error(`No mail came to ${to}`)
  return mail
}

/** The link with the secret of the newest mail, and the secret. */
export async function waitForLink(
  to: string,
  after = '0',
): Promise<{ url: string; token: string; mail: Mail }> {
  const mail = await waitForMail(to, after)
  const url = mail.links.find(link => /[?&](token|id)=/.test(link))
  if (!url) throw new Error(`The mail “${mail.subject}” has no link with a secret`)
  const query = new URL(url).searchParams
  return { url, token: query.get('token') ?? query.get('id') ?? '', mail }
}
