import { domainToASCII } from 'node:url'
import PostalMime, { addressParser } from 'postal-mime'
import type { SandboxContext } from '../context.ts'
import { newId } from '../objects/ids.ts'
import type { Mail } from '../objects/stored-objects.ts'

const limit = 2_000

const decode = (text: string) =>
  text.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/').replaceAll('&quot;', '"')

/** All links of a mail: first those of the HTML, then those of the text. */
function linksIn(html: string, text: string): string[] {
  const anchors = [...html.matchAll(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(match =>
    decode(match[1] ?? match[2] ?? ''),
  )
  const normalAddress = [...text.matchAll(/https?:\/\/[^\s<>"')\]]+/g)].map(match =>
    match[0].replace(/[.,;:!?]+$/, ''),
  )
  return [...new Set([...anchors, ...normalAddress])].filter(link => /^(https?|mailto):/.test(link))
}

const nameAndAddress = (mailbox: { name?: string; address?: string } | undefined) => {
  if (!mailbox?.address) return ''
  return mailbox.name ? `${mailbox.name} <${mailbox.address}>` : mailbox.address
}

export async function parseMail(raw: Buffer, envelopeTo: readonly string[]): Promise<Mail> {
  const parsed = await PostalMime.parse(raw)
  const html = parsed.html ?? ''
  const text = parsed.text ?? ''
  const from = parsed.from && 'address' in parsed.from ? nameAndAddress(parsed.from) : ''
  return {
    object: 'mail',
    id: newId('mail'),
    created: Math.floor(Date.now() / 1000),
    to: [...envelopeTo],
    from,
    subject: parsed.subject ?? '',
    text,
    html,
    links: linksIn(html, text),
    headers: parsed.headers.map(({ originalKey, value }) => ({ key: originalKey, value })),
    date: new Date().toISOString(),
    message_id: parsed.messageId ?? '',
  }
}

const bare = (address: string) => {
  const [first] = addressParser(address)
  return normalizeDomainCase(first && 'address' in first ? (first.address ?? '') : address)
}

/** The SMTP library returns Unicode domains; this converts them to A-labels, so both spellings are found. */
function normalizeDomainCase(address: string): string {
  const at = address.lastIndexOf('@')
  return address.slice(0, at + 1).toLowerCase() + domainToASCII(address.slice(at + 1))
}

/** Filters mails by recipient; matches all without one. */
function sentTo(to: string | undefined): (mail: Mail) => boolean {
  if (!to) return () => true
  const wanted = bare(to)
  return mail => wanted === '' || mail.to.some(address => normalizeDomainCase(address) === wanted)
}

export function createInbox(context: SandboxContext) {
  const waiters = new Set<(mail?: Mail) => void>()
  const { store } = context

  /** Mails after the given id, newest first. An unknown id returns all. */
  const list = (to?: string, after?: string) => {
    const all = store.all('mail')
    const isMeant = sentTo(to)
    const found: Mail[] = []
    for (let mail = all.pop(); mail && mail.id !== after; mail = all.pop())
      if (isMeant(mail)) found.push(mail)
    return found
  }

  return {
    list,
    get: (id: string) => store.get('mail', id),

    add(mail: Mail) {
      store.save(mail)
      const over = store.count('mail') - limit
      if (over > 0) for (const old of store.all('mail').slice(0, over)) store.remove('mail', old.id)
      store.flush()
      for (const wake of [...waiters]) wake(mail)
    },

    clear() {
      for (const mail of store.all('mail')) store.remove('mail', mail.id)
      store.flush()
    },

    /** Resolves with the mails after the given id when there are any, or with none after the timeout. */
    wait(to: string | undefined, after: string, ms: number): Promise<Mail[]> {
      const now = list(to, after)
      if (now.length > 0) return Promise.resolve(now)
      const isMeant = sentTo(to)
      return new Promise(resolve => {
        const finish = (mails: Mail[]) => {
          clearTimeout(timer)
          waiters.delete(wake)
          resolve(mails)
        }
        const wake = (mail?: Mail) => {
          if (!mail) finish([])
          else if (isMeant(mail)) finish([mail])
        }
        const timer = setTimeout(() => finish([]), ms)
        waiters.add(wake)
      })
    },

    /** Ends all waits, for a shutdown or reset. */
    releaseWaiting() {
      for (const wake of [...waiters]) wake()
    },
  }
}

export type Inbox = ReturnType<typeof createInbox>
