import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../test/harness.ts'
import { freshPauseSeconds } from './limits.ts'

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

/** Somebody proven, the browser they signed in with, and a network of their own. */
async function settled() {
  const user = await people.verified()
  const entered = await signIn(user.email, password, { ip: '192.0.2.1' })
  expect(entered.status).toBe(200)
  const cookie = String(entered.headers['set-cookie']).split(';')[0]
  return { email: user.email, cookie }
}

/** How many of the answers let the guess through to the password. */
const through = (answers: { status: number }[]) => answers.filter(({ status }) => status !== 429).length

describe('brakes on guessing [T-11]', () => {
  test.each([
    ['100 networks, ten each', (_round: number, n: number) => `10.1.0.${n}`],
    ['1,000 networks, one each', (round: number, n: number) => `10.7.${round}.${n}`],
  ])(
    '(a) 1,000 guesses at one account from %s: few get through; (c) its owner’s browser signs in all the while',
    async (_, networkOf) => {
      const { email, cookie } = await settled()
      const answers: Awaited<ReturnType<typeof signIn>>[] = []
      for (let round = 0; round < 10; round++)
        answers.push(
          ...(await Promise.all(
            Array.from({ length: 100 }, (_, n) => signIn(email, wrong, { ip: networkOf(round, n) })),
          )),
        )
      expect(answers).toHaveLength(1000)
      expect(answers.every(({ status }) => status === 422 || status === 429)).toBe(true)
      expect(through(answers)).toBeLessThanOrEqual(40)
      // The owner, in the midst of it: the known browser, from home and from one of the attacker's own networks.
      expect((await signIn(email, password, { ip: '192.0.2.1', cookie })).status).toBe(200)
      expect((await signIn(email, password, { ip: networkOf(0, 7), cookie })).status).toBe(200)
      // With a browser that nobody knows it is a matter of seconds, never of the attacker's will.
      const unknown = await signIn(email, password, { ip: '192.0.2.200' })
      expect(unknown.status).toBe(429)
      expect(waitOf(unknown)).toBeLessThanOrEqual(freshPauseSeconds)
      clock.add(waitOf(unknown) * 1000)
      expect((await signIn(email, password, { ip: '192.0.2.200' })).status).toBe(200)
    },
  )

  test('(b) one password at 1,000 accounts from one network: few get through, and who is known there goes on', async () => {
    const { email, cookie } = await settled()
    const ip = '203.0.113.20'
    const answers = []
    for (let n = 0; n < 1000; n++) answers.push(await signIn(freshEmail('sprayed'), 'Summer-2026!', { ip }))
    expect(through(answers)).toBeLessThanOrEqual(75)
    expect((await signIn(email, password, { ip, cookie })).status).toBe(200)
    expect((await signIn(email, password, { ip: '203.0.113.21' })).status).toBe(200)
  })

  test('waits grow 1 s, 2 s, 4 s … to 15 minutes, and a guess during a wait neither counts nor lengthens it', async () => {
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

  test('one stranger alone can’t set off the brake of an address: its owner signs in from anywhere else', async () => {
    const { email } = await settled()
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

  test('a few strangers who go on can’t hold an address: from a network of its own its owner is in within seconds', async () => {
    const { email } = await settled()
    const networks = [0, 1, 2, 3].map(n => `203.0.113.11${n}`)
    // As fast as they can until each of them waits minutes; from then on two of them go on.
    const siege = async (by: string[], minutes: number) => {
      for (;;) {
        for (const ip of by) await signIn(email, wrong, { ip })
        const waits = []
        for (const ip of by) waits.push(waitOf(await signIn(email, wrong, { ip })) || 0)
        if (Math.min(...waits) >= minutes * 60) return
        clock.add(Math.min(...waits) * 1000)
      }
    }
    await siege(networks, 5)
    clock.add(900_000)
    await siege(networks.slice(0, 2), 5)
    const owner = { ip: '203.0.113.119' }
    const first = await signIn(email, password, owner)
    if (first.status === 429) {
      expect(waitOf(first)).toBeLessThanOrEqual(freshPauseSeconds)
      clock.add(waitOf(first) * 1000)
      expect((await signIn(email, password, owner)).status).toBe(200)
    } else expect(first.status).toBe(200)
    // The strangers are no freer for it than a free pause would make them, and their own brakes still hold.
    const guesses = []
    for (let n = 0; n < 50; n++) for (const ip of networks) guesses.push(await signIn(email, wrong, { ip }))
    expect(through(guesses)).toBeLessThanOrEqual(2)
  })

  test('strangers with ever new networks get one guess through in each short pause, all together', async () => {
    const email = freshEmail()
    for (let n = 0; n < 31; n++) await signIn(email, wrong, { ip: `10.5.0.${n}` })
    const answers = []
    for (let round = 0; round < 6; round++) {
      clock.add(freshPauseSeconds * 1000)
      for (let n = 0; n < 20; n++) answers.push(await signIn(email, wrong, { ip: `10.6.${round}.${n}` }))
    }
    // The first pauses are shorter still: 1 s, 2 s, 4 s …
    expect(through(answers)).toBe(6)
  })

  test('after an hour nothing is held against anybody', async () => {
    const email = freshEmail()
    const ip = '203.0.113.50'
    for (let n = 0; n < 7; n++) await signIn(email, wrong, { ip })
    expect((await signIn(email, wrong, { ip })).status).toBe(429)
    clock.add(hour)
    for (let n = 0; n < 5; n++) expect((await signIn(email, wrong, { ip })).status).toBe(422)
  })

  test('the right password counts nothing and forgives one’s own typos', async () => {
    const { email } = await settled()
    const ip = '203.0.113.60'
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 5; n++) expect((await signIn(email, wrong, { ip })).status).toBe(422)
      expect((await signIn(email, password, { ip })).status).toBe(200)
    }
    for (let n = 0; n < 40; n++) expect((await signIn(email, password, { ip })).status).toBe(200)
  })

  test('right passwords have a budget for each user: a person never meets it, a script in a loop does [T-12]', async () => {
    const { email } = await settled()
    const other = await settled()
    const ip = '203.0.113.65'
    // One was drawn by settled().
    for (let n = 0; n < 59; n++) expect((await signIn(email, password, { ip })).status).toBe(200)
    const refused = await signIn(email, password, { ip: '203.0.113.66' })
    expect(refused.status).toBe(429)
    expect(waitOf(refused)).toBeGreaterThan(0)
    expect(waitOf(refused)).toBeLessThanOrEqual(3600)
    const openings = `select id from sessions where user_id = (select id from users where email = '${email}')`
    const held = 'select key from brakes where failures > 0 or paused_until is not null'
    const [opened, braked] = [await db.asOwnerOfJobs(openings), await db.asOwnerOfJobs(held)]
    expect((await signIn(email, password, { ip })).status).toBe(429)
    expect(await db.asOwnerOfJobs(openings)).toEqual(opened)
    expect(await db.asOwnerOfJobs(held)).toEqual(braked)
    expect((await signIn(other.email, password, { ip })).status).toBe(200)
    clock.add(hour)
    expect((await signIn(email, password, { ip })).status).toBe(200)
  })

  test('signing in to an account of one’s own buys no more guesses at others', async () => {
    const { email } = await settled()
    const ip = '203.0.113.70'
    let guesses = 0
    for (let n = 0; n < 200; n++) {
      if ((await signIn(freshEmail('sprayed'), wrong, { ip })).status === 422) guesses++
      await signIn(email, password, { ip })
    }
    expect(guesses).toBeLessThanOrEqual(75)
  })

  test('100 guesses at the same moment are not one', async () => {
    const email = freshEmail()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => signIn(email, wrong, { ip: '203.0.113.80' })),
    )
    expect(through(answers)).toBeLessThanOrEqual(6)
  })

  test('a browser known to somebody else, or to an unproven claim of the same address, is no known one', async () => {
    const victim = await settled()
    const other = await settled()
    const claim = await call('POST', '/api/account', {
      body: { first_name: 'Eve', last_name: 'Null', email: victim.email, password: 'evil-one-1!' },
      headers: { 'x-forwarded-for': '203.0.113.90' },
    })
    const claimed = String(claim.headers['set-cookie']).split(';')[0]
    for (const [n, cookie] of [other.cookie, claimed].entries()) {
      const answers = []
      for (let ip = 0; ip < 60; ip++)
        answers.push(await signIn(victim.email, wrong, { ip: `10.2.${n}.${ip}`, cookie }))
      expect(through(answers)).toBeLessThanOrEqual(32)
      clock.add(hour)
    }
  })

  test('+tags of one mailbox share what may be guessed', async () => {
    const email = freshEmail()
    const answers = []
    for (let n = 0; n < 20; n++)
      answers.push(await signIn(email.replace('@', `+${n}@`), wrong, { ip: '203.0.113.95' }))
    expect(through(answers)).toBe(6)
  })

  test('addresses of one /64 are one network [T-79]', async () => {
    const email = freshEmail()
    const answers = []
    for (let n = 0; n < 20; n++)
      answers.push(await signIn(email, wrong, { ip: `2001:db8:5:5::${n.toString(16)}` }))
    expect(through(answers)).toBe(6)
  })
})

describe('the same for every address [T-10]', () => {
  test('known, unproven, passwordless and unknown addresses are slowed down alike, answer for answer', async () => {
    const known = (await settled()).email
    const unproven = (await people.signUp()).email
    const passwordless = (await settled()).email
    await db.asOwnerOfJobs('update users set password_hash = null where email = $1', [passwordless])
    const stories = []
    for (const [n, email] of [freshEmail(), known, unproven, passwordless].entries()) {
      const story = []
      for (let guess = 0; guess < 45; guess++) {
        // A stubborn network first, then ever new ones.
        const ip = guess < 10 ? `10.3.${n}.0` : `10.3.${n}.${guess}`
        const { status, text, headers } = await signIn(email, wrong, { ip })
        story.push([status, text, headers['retry-after'], Object.keys(headers).sort()])
      }
      stories.push(JSON.stringify(story))
    }
    expect(new Set(stories).size).toBe(1)
  })

  test('the owner of an address hears of many failures, once a day; an address without an owner gets nothing [T-88]', async () => {
    const { email } = await settled()
    const unknown = freshEmail()
    const siege = async (round: number) => {
      for (const [n, target] of [unknown, email].entries())
        for (let ip = 0; ip < 12; ip++) await signIn(target, wrong, { ip: `10.4.${round}.${n * 100 + ip}` })
    }
    const subject = 'Someone is trying to guess your password'
    const warning = async (after: string) => {
      let mail = await people.mailTo(email, after)
      while (mail.subject !== subject) mail = await people.mailTo(email, mail.id)
      return mail
    }
    await siege(0)
    const first = await warning('0')
    expect(first.links[0]).toContain('/forgotpassword')
    clock.add(2 * hour)
    await siege(1)
    clock.add(23 * hour)
    await siege(2)
    await warning(first.id)
    const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?limit=1000`)
    const { data }: { data: { to: string[]; subject: string }[] } = JSON.parse(await reply.text())
    const warned = data.filter(mail => mail.subject === subject).map(mail => String(mail.to))
    expect(warned.filter(to => to.includes(email))).toHaveLength(2)
    expect(warned.filter(to => to.includes(unknown))).toHaveLength(0)
  })
})
