import { button, field, heading, labels, passwordField, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { fillSignUp } from '../support/pages/sign-in.ts'
import { demoEmail, newEmail, password } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'
import { sandboxUrl } from '../support/urls.ts'

const create = 'Create account'

test('[text:form.required] [text:form.min-length] [text:form.password-mismatch] [rule:form.required] [rule:form.email] [rule:form.password.complex] [rule:form.password.matches] [rule:form.help] [rule:form.icons] every invalid field shows its error', async ({
  page,
}) => {
  await page.goto('/signup')
  await expect(passwordField(page, labels.password)).toHaveAccessibleDescription(
    /^At least 8 characters, one of them special/,
  )
  await button(page, create).click()
  await expect(field(page, labels.first)).toBeFocused()
  const first = field(page, labels.first)
  const word = passwordField(page, labels.password)
  const again = passwordField(page, labels.again)
  await expect(first).toHaveAccessibleDescription('First name is required')
  await expect(field(page, labels.last)).toHaveAccessibleDescription('Last name is required')
  await expect(field(page, labels.workEmail)).toHaveAccessibleDescription('Work email is required')
  await expect(word).toHaveAccessibleDescription('Password is required')
  await expect(again).toHaveAccessibleDescription('Enter the password again')

  await field(page, labels.workEmail).fill('mara@nowhere')
  await expect(field(page, labels.workEmail)).toHaveAccessibleDescription('Enter a valid email address')
  await word.fill('short!')
  await expect(word).toHaveAccessibleDescription('Enter at least 8 characters')
  await word.fill('limestone1')
  await expect(word).toHaveAccessibleDescription('Add at least one special character, such as ! or ?')
  await word.fill(password)
  await again.fill(`${password}x`)
  await expect(again).toHaveAccessibleDescription('Passwords do not match')
  await again.fill(password)
  await expect(again).toHaveAccessibleDescription('')
  await first.fill('M'.repeat(101))
  await expect(first).toHaveAccessibleDescription('Enter at most 100 characters')
  await expect(first).toHaveAttribute('aria-invalid', 'true')
})

test('[rule:form.server-field] [error:inputError] errors that only the server finds are shown at the same field', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  await page.goto('/signup')
  await fillSignUp(page, { email: newEmail() })
  for (const [name, label, value, says] of [
    ['first_name', labels.first, ' ', 'First name is required'],
    ['last_name', labels.last, 'O'.repeat(101), 'Enter at most 100 characters'],
    ['email', labels.workEmail, 'mara@nowhere', 'Enter a valid email address'],
    ['password', labels.password, 'short!', 'Enter at least 8 characters'],
    ['password', labels.password, 'limestone1', 'Add at least one special character, such as ! or ?'],
    ['confirm_password', labels.again, 'limestone-2!', 'Passwords do not match'],
  ] as const) {
    await page.route('**/api/account', route => {
      const body = { ...route.request().postDataJSON(), [name]: value }
      return route.continue({ postData: JSON.stringify(body) })
    })
    await button(page, create).click()
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(says)
    await expect(page.getByLabel(label, { exact: true })).toBeFocused()
    await page.unroute('**/api/account')
  }
  await button(page, create).click()
  await expectPath(page, '/signup/verify')
})

test('[state:form.loading] [rule:form.idempotency] a double click creates one account and sends one mail', async ({
  page,
}) => {
  const email = newEmail()
  let calls = 0
  page.on('request', request => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/account') calls += 1
  })
  await page.goto('/signup')
  await fillSignUp(page, { email })
  await button(page, create).dblclick()
  await expectPath(page, '/signup/verify')
  expect(calls).toBe(1)
  const wait = new URLSearchParams({ to: email, after: '0', timeout: '20000' })
  const { data } = await (await fetch(`${sandboxUrl}/sandbox/inbox/wait?${wait}`)).json()
  expect(data).toHaveLength(1)
})

test('[error:other] [text:error.title] [state:form.nothing-lost] a server failure shows an error, and the same input can be sent again', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(500)
  const email = newEmail()
  await page.route('**/api/account', route =>
    route.fulfill({ status: 500, json: { message: 'The roof is leaking' } }),
  )
  await page.goto('/signup')
  await fillSignUp(page, { email })
  await button(page, create).click()
  await expect(toast(page, 'Something went wrong')).toContainText('The roof is leaking')
  await expect(field(page, labels.workEmail)).toHaveValue(email)
  await expect(passwordField(page, labels.password)).toHaveValue(password)
  await page.unroute('**/api/account')
  await button(page, create).click()
  await expectPath(page, '/signup/verify')
})

test('[error:no-response] [state:form.nothing-lost] without a connection the form keeps its input and shows an error', async ({
  page,
  context,
  consoleGuard,
}) => {
  consoleGuard.allowMessage(/ERR_INTERNET_DISCONNECTED|Failed to fetch|NoAnswer|did not answer/)
  const email = newEmail()
  await page.goto('/signup')
  await fillSignUp(page, { email })
  // The first input loads the code for toasts; a test types faster than that.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await button(page, create).click()
  await expect(toast(page, 'The server did not answer. Check your connection, then try again.')).toBeVisible()
  await expect(field(page, labels.workEmail)).toHaveValue(email)
  await context.setOffline(false)
  await button(page, create).click()
  await expectPath(page, '/signup/verify')
})

test('[state:form.nothing-lost] leaving the form and coming back restores the input except passwords', async ({
  page,
}) => {
  await page.goto('/signup')
  await fillSignUp(page, { email: 'mara@northquay.example' })
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  await page.goBack()
  await expect(field(page, labels.workEmail)).toHaveValue('mara@northquay.example')
  await expect(field(page, labels.first)).toHaveValue('Mara')
  await expect(passwordField(page, labels.password)).toHaveValue('')
})

test('[call:POST /api/account] an address that already has a user shows the same screen as a new one', async ({
  page,
}) => {
  await page.goto('/signup')
  await fillSignUp(page, { email: demoEmail('canceled') })
  await button(page, create).click()
  await expectPath(page, '/signup/verify')
  await expect(page.getByText(`We sent a link to ${demoEmail('canceled')}.`)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})
