import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../test/harness.ts'
import { gracePauseSeconds } from './limits.ts'

const { call, people, clock, config, db } = await makeTestApp({
  RATE_LIMIT_FACTOR: '1',
  TRUST_PROXY: '127.0.0.1',
})
clock.freeze()

type From = { ip: string; cookie?: string | undefined }
const signIn = (email: string, word: string, { ip, cookie }: From) =>
  call('POST', '/api/auth', {
    body: { email, password: word },
    headers: { 'x-forwarded-for': ip, ...(cookie ? { cookie } : {}) },
  })
const wrong = 'not-this-one-1'
const waitOf = (answer: { headers: Record<string, unknown> }) => Number(answer.headers['retry-after'])
const hour = 3_600_000

/** A verified user and the cookie of the browser they signed in with. */
async function verifiedUser() {
  const user = await people.verified()
  const entered = await signIn(user.email, password, { ip: '192.0.2.1' })
  expect(entered.status).toBe(200)
  const cookie = String(entered.headers['set-cookie']).split(';')[0]
  return { email: user.email, cookie }
}

/** How many guesses had their password checked. */
const countChecked = (answers: { status: number }[]) => answers.filter(({ status }) => status !== 429).length

describe('password guessing [T-11]', () => {
  test.each([
    ['100 networks, ten each', (_round: number, n: number) => `10.1.0.${n}`],
    ['1,000 networks, one each', (round: number, n: number) => `10.7.${round}.${n}`],
  ])(
    '1,000 guesses at one account from %s: at most 40 are checked, the owner’s browser signs in',
    async (_, networkOf) => {
      const { email, cookie } = await verifiedUser()
      const answers: Awaited<ReturnType<typeof signIn>>[] = []
      for (let round = 0; round < 10; round++)
        answers.push(
          ...(await Promise.all(
            Array.from({ length: 100 }, (_, n) => signIn(email, wrong, { ip: networkOf(round, n) })),
          )),
        )
      expect(answers).toHaveLength(1000)
      expect(answers.every(({ status }) => status === 422 || status === 429)).toBe(true)
      expect(countChecked(answers)).toBeLessThanOrEqual(40)
      // The known browser, from the owner's network and from one of the attacker's.
      expect((await signIn(email, password, { ip: '192.0.2.1', cookie })).status).toBe(200)
      expect((await signIn(email, password, { ip: networkOf(0, 7), cookie })).status).toBe(200)
      // An unknown browser in a new network waits for the grace pause at most.
      const unknown = await signIn(email, password, { ip: '192.0.2.200' })
      expect(unknown.status).toBe(429)
      expect(waitOf(unknown)).toBeLessThanOrEqual(gracePauseSeconds)
      clock.add(waitOf(unknown) * 1000)
      expect((await signIn(email, password, { ip: '192.0.2.200' })).status).toBe(200)
    },
  )

  test('one password at 1,000 accounts from one network: at most 75 are checked, a known browser signs in', async () => {
    const { email, cookie } = await verifiedUser()
    const ip = '203.0.113.20'
    const answers = []
    for (let n = 0; n < 1000; n++) answers.push(await signIn(freshEmail('sprayed'), 'Summer-2026!', { ip }))
    expect(countChecked(answers)).toBeLessThanOrEqual(75)
    expect((await signIn(email, password, { ip, cookie })).status).toBe(200)
    expect((await signIn(email, password, { ip: '203.0.113.21' })).status).toBe(200)
  })

  test('pauses double from 1 s to 15 minutes; a guess during a pause does not count', async () => {
    const email = freshEmail()
    const ip = '203.0.113.30'
    for (let n = 0; n < 5; n++) expect((await signIn(email, wrong, { ip })).status).toBe(422)
    const waits = []
    for (let n = 0; n < 12; n++) {
      expect((await signIn(email, wrong, { ip })).status).toBe(422)
      const refused = await signIn(email, wrong, { ip })
      expect(refused.status).toBe(429)
      waits.push(waitOf(refused))
      expect(waitOf(await signIn(email, wrong, { ip }))).toBeLessThanOrEqual(waitOf(refused))
      clock.add(waitOf(refused) * 1000)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('guesses from one network do not pause the owner’s sign-in from another network', async () => {
    const { email } = await verifiedUser()
    const ip = '203.0.113.40'
    const began = clock.now().getTime()
    while (clock.now().getTime() - began < hour - 900_000) {
      const answer = await signIn(email, wrong, { ip })
      if (answer.status === 429) clock.add(waitOf(answer) * 1000)
    }
    expect((await signIn(email, wrong, { ip })).status).toBe(422)
    expect((await signIn(email, password, { ip })).status).toBe(429)
    expect((await signIn(email, password, { ip: '203.0.113.41' })).status).toBe(200)
  })

  test('after guesses from four networks the owner signs in from a fifth one within the grace pause', async () => {
    const { email } = await verifiedUser()
    const networks = [0, 1, 2, 3].map(n => `203.0.113.11${n}`)
    // Guesses as fast as possible until each network waits for minutes.
    const guessUntilPaused = async (by: string[], minutes: number) => {
      for (;;) {
        for (const ip of by) await signIn(email, wrong, { ip })
        const waits = []
        for (const ip of by) waits.push(waitOf(await signIn(email, wrong, { ip })) || 0)
        if (Math.min(...waits) >= minutes * 60) return
        clock.add(Math.min(...waits) * 1000)
      }
    }
    await guessUntilPaused(networks, 5)
    clock.add(900_000)
    await guessUntilPaused(networks.slice(0, 2), 5)
    const owner = { ip: '203.0.113.119' }
    const first = await signIn(email, password, owner)
    if (first.status === 429) {
      expect(waitOf(first)).toBeLessThanOrEqual(gracePauseSeconds)
      clock.add(waitOf(first) * 1000)
      expect((await signIn(email, password, owner)).status).toBe(200)
    } else expect(first.status).toBe(200)
    // The attackers' networks stay paused, apart from the address's pause that the owner's sign-in cleared.
    const guesses = []
    for (let n = 0; n < 50; n++) for (const ip of networks) guesses.push(await signIn(email, wrong, { ip }))
    expect(countChecked(guesses)).toBeLessThanOrEqual(2)
  })

  test('guesses from new networks are checked once per grace pause, all together', async () => {
    const email = freshEmail()
    for (let n = 0; n < 31; n++) await signIn(email, wrong, { ip: `10.5.0.${n}` })
    const answers = []
    for (let round = 0; round < 6; round++) {
      clock.add(gracePauseSeconds * 1000)
      for (let n = 0; n < 20; n++) answers.push(await signIn(email, wrong, { ip: `10.6.${round}.${n}` }))
    }
    // The first pauses are shorter still: 1 s, 2 s, 4 s …
    expect(countChecked(answers)).toBe(6)
  })

  test('failures are forgotten after an hour', async () => {
    const email = freshEmail()
    const ip = '203.0.113.50'
    for (let n = 0; n < 7; n++) await signIn(email, wrong, { ip })
    expect((await signIn(email, wrong, { ip })).status).toBe(429)
    clock.add(hour)
    for (let n = 0; n < 5; n++) expect((await signIn(email, wrong, { ip })).status).toBe(422)
  })

  test('the right password clears the client’s own failures', async () => {
    const { email } = await verifiedUser()
    const ip = '203.0.113.60'
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 5; n++) expect((await signIn(email, wrong, { ip })).status).toBe(422)
      expect((await signIn(email, password, { ip })).status).toBe(200)
    }
    for (let n = 0; n < 40; n++) expect((await signIn(email, password, { ip })).status).toBe(200)
  })

  test('the 61st right password of a user within an hour is refused, other users are not [T-12]', async () => {
    const { email } = await verifiedUser()
    const other = await verifiedUser()
    const ip = '203.0.113.65'
    // verifiedUser() signed in once.
    for (let n = 0; n < 59; n++) expect((await signIn(email, password, { ip })).status).toBe(200)
    const refused = await signIn(email, password, { ip: '203.0.113.66' })
    expect(refused.status).toBe(429)
    expect(waitOf(refused)).toBeGreaterThan(0)
    expect(waitOf(refused)).toBeLessThanOrEqual(3600)
    const openings = `select id from sessions where user_id = (select id from users where email = '${email}')`
    const held = 'select key from login_throttle where failures > 0 or paused_until is not null order by key'
    const [opened, paused] = [await db.asOwnerOfJobs(openings), await db.asOwnerOfJobs(held)]
    expect((await signIn(email, password, { ip })).status).toBe(429)
    expect(await db.asOwnerOfJobs(openings)).toEqual(opened)
    expect(await db.asOwnerOfJobs(held)).toEqual(paused)
    expect((await signIn(other.email, password, { ip })).status).toBe(200)
    clock.add(hour)
    expect((await signIn(email, password, { ip })).status).toBe(200)
  })

  test('a right password for one’s own account allows no more guesses at others', async () => {
    const { email } = await verifiedUser()
    const ip = '203.0.113.70'
    let guesses = 0
    for (let n = 0; n < 200; n++) {
      if ((await signIn(freshEmail('sprayed'), wrong, { ip })).status === 422) guesses++
      await signIn(email, password, { ip })
    }
    expect(guesses).toBeLessThanOrEqual(75)
  })

  test('of 100 parallel guesses at most six are checked', async () => {
    const email = freshEmail()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => signIn(email, wrong, { ip: '203.0.113.80' })),
    )
    expect(countChecked(answers)).toBeLessThanOrEqual(6)
  })

  test('a browser known to another user, or to an unverified user of the same address, counts as unknown', async () => {
    const victim = await verifiedUser()
    const other = await verifiedUser()
    const claim = await call('POST', '/api/account', {
      body: { first_name: 'Eve', last_name: 'Null', email: victim.email, password: 'evil-one-1!' },
      headers: { 'x-forwarded-for': '203.0.113.90' },
    })
    const claimed = String(claim.headers['set-cookie']).split(';')[0]
    for (const [n, cookie] of [other.cookie, claimed].entries()) {
      const answers = []
      for (let ip = 0; ip < 60; ip++)
        answers.push(await signIn(victim.email, wrong, { ip: `10.2.${n}.${ip}`, cookie }))
      expect(countChecked(answers)).toBeLessThanOrEqual(32)
      clock.add(hour)
    }
  })

  test('+tags of one mailbox share a limit', async () => {
    const email = freshEmail()
    const answers = []
    for (let n = 0; n < 20; n++)
      answers.push(await signIn(email.replace('@', `+${n}@`), wrong, { ip: '203.0.113.95' }))
    expect(countChecked(answers)).toBe(6)
  })

  test('addresses of one /64 are one network [T-79]', async () => {
    const email = freshEmail()
    const answers = []
    for (let n = 0; n < 20; n++)
      answers.push(await signIn(email, wrong, { ip: `2001:db8:5:5::${n.toString(16)}` }))
    expect(countChecked(answers)).toBe(6)
  })
})

describe('every address is treated alike [T-10]', () => {
  test('verified, unverified, passwordless and unknown addresses get the same replies', async () => {
    const known = (await verifiedUser()).email
    const unproven = (await people.signUp()).email
    const passwordless = (await verifiedUser()).email
    await db.asOwnerOfJobs('update users set password_hash = null where email = $1', [passwordless])
    const stories = []
    for (const [n, email] of [freshEmail(), known, unproven, passwordless].entries()) {
      const story = []
      for (let guess = 0; guess < 45; guess++) {
        // Ten guesses from one network, then one from each of 35 new networks.
        const ip = guess < 10 ? `10.3.${n}.0` : `10.3.${n}.${guess}`
        const { status, text, headers } = await signIn(email, wrong, { ip })
        story.push([status, text, headers['retry-after'], Object.keys(headers).sort()])
      }
      stories.push(JSON.stringify(story))
    }
    expect(new Set(stories).size).toBe(1)
  })

  test('the owner of an address gets one mail a day about many failures, an unknown address gets none [T-88]', async () => {
    const { email } = await verifiedUser()
    const unknown = freshEmail()
    const guessFrom12Networks = async (round: number) => {
      for (const [n, target] of [unknown, email].entries())
        for (let ip = 0; ip < 12; ip++) await signIn(target, wrong, { ip: `10.4.${round}.${n * 100 + ip}` })
    }
    const subject = 'Someone is trying to guess your password'
    const warning = async (after: string) => {
      let mail = await people.mailTo(email, after)
      while (mail.subject !== subject) mail = await people.mailTo(email, mail.id)
      return mail
    }
    await guessFrom12Networks(0)
    const first = await warning('0')
    expect(first.links[0]).toContain('/forgotpassword')
    clock.add(2 * hour)
    await guessFrom12Networks(1)
    clock.add(23 * hour)
    await guessFrom12Networks(2)
    await warning(first.id)
    const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?limit=1000`)
    const { data }: { data: { to: string[]; subject: string }[] } = JSON.parse(await reply.text())
    const warned = data.filter(mail => mail.subject === subject).map(mail => String(mail.to))
    expect(warned.filter(to => to.includes(email))).toHaveLength(2)
    expect(warned.filter(to => to.includes(unknown))).toHaveLength(0)
  })
})
