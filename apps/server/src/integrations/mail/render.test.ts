import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { locales } from '../../lib/i18n.ts'
import { PermanentMailError } from './errors.ts'
import { renderHtml } from './layout.ts'
import { type MailKind, mailTemplates } from './registry.ts'
import { renderMail } from './render.ts'
import { sample, telling } from './samples.fixture.ts'
import { mailTranslator } from './translate.ts'

const everyKind = Object.keys(mailTemplates) as MailKind[] // as: Object.keys forgets the keys of a literal
const everyMail = everyKind.flatMap(kind => locales.map(locale => ({ kind, locale })))

const hostile = [
  '<script>alert(1)</script><a href="https://evil.com">x</a>',
  '" onmouseover="alert(1)" style="x',
  'Mara\r\nBcc: victim@evil.com\r\n\r\n<h1>Hi</h1>',
  '\u202eevil\u202c \u2066x\u2069\0',
  'Visit evil.com or https://evil.com/login?x=1 or //evil.com or bob@evil.com',
  '{{url}} {{name}} $& $1 &lt;b&gt; &amp;',
  '--></title></style><img src=x>',
]

const tags = (html: string) => html.match(/<[^>]*>/g) ?? []
const links = (html: string) =>
  [...html.matchAll(/\b(?:href|src|action|background)="([^"]*)"/g)].map(found => found[1])
const shown = (html: string) =>
  html
    .replace(/<(head|!--)[\s\S]*?(?:<\/head>|-->)/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")

describe.each(everyMail)('$kind in $locale', ({ kind, locale }) => {
  const mail = { ...sample(kind), locale }
  const { url } = mail.data

  test('has one button and no other link, image or script', async () => {
    const { html } = await renderMail(mail)
    expect(links(html)).toEqual([url.replaceAll('&', '&amp;')])
    expect(tags(html).filter(tag => tag.startsWith('<a '))).toHaveLength(1)
    expect(tags(html).filter(tag => /^<(img|script|link|form|iframe|object)\b/i.test(tag))).toEqual([])
    expect(html).not.toMatch(/url\(|@import|@font-face/)
  })

  test('declares its language and dark mode support', async () => {
    const { html, subject } = await renderMail(mail)
    expect(html).toContain(`<html dir="ltr" lang="${locale}">`)
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
    expect(html).toContain(`<title>${subject}</title>`)
  })

  test('has a plain-text part with the link on its own line', async () => {
    const { text, subject } = await renderMail(mail)
    expect(text.split('\n')).toContain(url)
    expect(text.match(/https?:/g)).toHaveLength(1)
    expect(text).toMatch(/\n-- \n.+\n$/)
    expect(text).not.toMatch(/[<>]|\{\{|undefined|null|NaN|\n{3}|[ \t]\n(?<!-- \n)/)
    expect(subject).toMatch(/^[^\r\n]+$/)
  })

  test('has the same content in HTML and plain text', async () => {
    const { html, text } = await renderMail(mail)
    const page = shown(html)
    for (const line of text.split('\n').filter(line => line !== '-- '))
      expect(page).toContain(line.replace(/:$/, ''))
  })

  test.each(hostile)('is safe for the name %j', async name => {
    const { subject, html, text } = await renderMail({ ...sample(kind, name), locale })
    const calm = await renderMail({ ...sample(kind, 'Mara'), locale })
    expect(tags(html)).toEqual(tags(calm.html))
    expect(text.split('\n').filter(line => line.includes('://'))).toEqual([url])
    expect(text.split('\n')).toHaveLength(calm.text.split('\n').length)
    for (const part of [
      subject,
      text.replace(url, ''),
      shown(html)
        .replaceAll(url, '')
        .replace(/[\u200b-\u200f\ufeff]/g, ''),
    ]) {
      expect(part).not.toMatch(/[\u202a-\u202e\u2066-\u2069\0\r]/)
      expect(part).not.toMatch(/:\/\/|evil\.com|www\.\w|@evil/)
    }
    expect(subject).toMatch(/^[^\n]+$/)
  })
})

test.each(everyKind)('%s contains its own sentence', async kind => {
  const { text } = await renderMail(sample(kind))
  expect(text).toContain(telling[kind])
})

const four = { price: '$48.00', seats: { count: 4, each: '$12.00' } }
test.each([
  [{ period: null, price: '' }, 'It is free.'],
  [{ ...four, period: 'month' }, 'It costs 4 seats × $12.00 = $48.00 per month, before tax and discounts.'],
  [{ ...four, period: 'year' }, 'It costs 4 seats × $12.00 = $48.00 per year, before tax and discounts.'],
  [
    { period: 'month', price: '$12.00', seats: { count: 1, each: '$12.00' } },
    'It costs $12.00 per month for 1 seat, before tax and discounts.',
  ],
  [
    { period: 'month', price: '$49.00', usage: true },
    'It costs $49.00 per month plus usage, before tax and discounts.',
  ],
  [
    { ...four, period: 'month', trial_until: 'December 9, 2026 (UTC)' },
    'It is free until December 9, 2026 (UTC). After that it costs 4 seats × $12.00 = $48.00 per month, before tax and discounts.',
  ],
  // Format of the previous release.
  [{ period: 'month', price: '$12.00' }, 'It costs $12.00 per month, before tax and discounts.'],
] as const)('the mail about a plan states its price: %j', async (cost, words) => {
  const mail = sample('plan_changed')
  if (mail.kind !== 'plan_changed') throw new Error('not the sample asked for')
  const { name, account_name, plan, url } = mail.data
  const { text } = await renderMail({ ...mail, data: { name, account_name, plan, url, ...cost } })
  expect(text.match(/It (costs|is free).*/)?.[0]).toBe(words)
})

test('the mail about a kept plan says that it continues, not that it is new', async () => {
  const mail = sample('plan_changed')
  if (mail.kind !== 'plan_changed') throw new Error('not the sample asked for')
  const { subject, text } = await renderMail({ ...mail, data: { ...mail.data, continues: true } })
  expect(subject).toBe('Your Startup yearly plan continues')
  expect(text).toContain('The Startup yearly plan of Northquay Studio continues and renews as usual.')
})

test.each([
  [
    { happened: 'payment_failed', amount: '$36.00', card: 'Visa ending 0341' },
    /charge \$36\.00 for the Startup plan of Northquay Studio to your Visa ending 0341\.\n\nAdd a working card/,
  ],
  [
    { happened: 'payment_failed', amount: '$36.00', next_attempt: 'December 28, 2026 (UTC)' },
    /charge \$36\.00 for the Startup plan of Northquay Studio\.\n\nWe’ll try again on December 28, 2026 \(UTC\)\./,
  ],
  [{ happened: 'payment_failed' }, /charge the card for the Startup plan/],
  [{ happened: 'payment_action', amount: '$36.00' }, /confirm the payment of \$36\.00 for the Startup plan/],
  [{ happened: 'payment_action' }, /confirm the payment for the Startup plan/],
] as const)('the mail about a payment states only known facts: %j', async (trouble, words) => {
  const mail = sample('payment_trouble')
  if (mail.kind !== 'payment_trouble') throw new Error('not the sample asked for')
  const { name, account_name, plan, url } = mail.data
  const { text } = await renderMail({ ...mail, data: { name, account_name, plan, url, ...trouble } })
  expect(text).toMatch(words)
})

test('the greeting omits a name that is empty after cleaning', async () => {
  const { text } = await renderMail(sample('verify_email', '\u202e\r\n'))
  expect(text).toContain('\nHello,\n')
})

test.each([
  'javascript:alert(1)',
  '/signup/verify',
  'https://a.b/c d',
  'https://a.b/\r\nBcc: x',
  'https://',
  '',
])('the link %j is refused', async url => {
  const mail = sample('verify_email')
  if (mail.kind !== 'verify_email') throw new Error('not the sample asked for')
  await expect(renderMail({ ...mail, data: { ...mail.data, url } })).rejects.toThrow('not a web address')
})

test.each([
  '',
  'a@b.co, c@d.co',
  'a@b.co\r\nBcc: c@d.co',
  'Mara <a@b.co>',
  '"a b"@c.co',
  'a@b',
  'a@b.co;c@d.co',
  ' a@b.co',
])('the recipient %j is refused', async to => {
  await expect(renderMail({ ...sample('invite'), to })).rejects.toThrow(PermanentMailError)
})

test('right-to-left languages mirror the layout', async () => {
  const translate = mailTranslator('en')
  const content = mailTemplates.invite(
    { inviter: 'a', account_name: 'b', role: 'c', url: 'https://a.b/', days: 1 },
    translate,
    '',
  )
  const html = await renderHtml(content, { language: 'ar', subject: 's', translate })
  expect(html).toContain('<html dir="rtl" lang="ar">')
  expect(html).toMatch(/<table[^>]* class="bg"[^>]*>/)
  expect(html).toContain('text-align:right')
  expect(html).not.toContain('text-align:left')
})

test('a process that sends no mail loads no mail components', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context) } })
    const { openMail } = await import(${JSON.stringify(new URL('./mailer.ts', import.meta.url).href)})
    openMail({ smtpUrl: 'smtp://localhost:1', from: 'a@b.co', supportEmail: 'a@b.co', log: console }).close()
    console.log(JSON.stringify(seen))
  `
  const seen = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
  )
  expect(seen).toContain('./render.ts')
  expect(seen.filter((name: string) => /react|nodemailer|layout/.test(name))).toEqual([])
})
