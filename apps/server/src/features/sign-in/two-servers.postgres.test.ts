import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { createServerEnv, startServer } from '../../../test/harness/server-process.ts'
import { freshEmail, password } from '../../../test/harness.ts'

const own = await createServerEnv()
/** Starts the real server twice. */
const slow = 120_000
const fresh = 'quite-another-word-7'

type Answer = { status: number; body: { code?: string; data?: { token?: string } } }

async function post(url: string, body: unknown, token?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, body: (await reply.json()) as Answer['body'] } // as: every answer of ours is an object
}

describe('two servers on one database', () => {
  test(
    'of fifty uses on both servers one signs in; a reset on one ends the sessions on both [T-13] [T-19]',
    async () => {
      const env = { ...own, APP_SECRET: 'a secret that both servers share, long enough' }
      const one = await startServer(env)
      const two = await startServer({ ...env, DATA_DIR: join(own.DATA_DIR, 'two') })
      try {
        const [a, b] = [one.url, two.url]
        const email = freshEmail('two')
        const signUp = { first_name: 'Mara', last_name: 'Okafor', email, password }
        await post(`${a}/api/account`, signUp)
        const verify = await newest(email, '0', '')

        await post(`${a}/api/auth/magic`, { email })
        const magic = await newest(email, verify.id, '/magic')
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            post(`${n % 2 ? a : b}/api/auth/magic/verify`, { token: magic.token }),
          ),
        )
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(answers.filter(({ body }) => body.code === 'link_expired')).toHaveLength(49)
        const session = answers.find(({ status }) => status === 200)?.body.data?.token ?? ''

        await post(`${b}/api/auth/password/reset/request`, { email })
        const reset = await newest(email, magic.id, '/resetpassword')
        const resets = await Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            post(`${n % 2 ? a : b}/api/auth/password/reset`, { jwt: reset.token, password: `${fresh}-${n}` }),
          ),
        )
        expect(resets.filter(({ status }) => status === 200)).toHaveLength(1)
        const alive = (url: string) =>
          fetch(`${url}/api/user`, { headers: { authorization: `Bearer ${session}` } })
        expect((await Promise.all([alive(a), alive(b)])).map(({ status }) => status)).toEqual([401, 401])
      } finally {
        await Promise.all([one.stop(), two.stop()])
      }
    },
    slow,
  )
})

type Mail = { id: string; links: string[] }

/** The newest mail to an address after another one whose link leads to a screen. */
async function newest(to: string, after: string, screen: string): Promise<{ id: string; token: string }> {
  const query = new URLSearchParams({ to, after, timeout: '20000' })
  const reply = await fetch(`http://127.0.0.1:${inject('sandbox').port}/sandbox/inbox/wait?${query}`)
  const { data } = (await reply.json()) as { data: Mail[] } // as: the sandbox's answer
  const [mail] = data
  if (!mail) throw new Error(`No mail came to ${to}`)
  const link = mail.links.find(at => at.includes(`${screen}?token=`))
  if (!link && screen) return newest(to, mail.id, screen)
  return { id: mail.id, token: new URL(link ?? 'http://none').searchParams.get('token') ?? '' }
}
