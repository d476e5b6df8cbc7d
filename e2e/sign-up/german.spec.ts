import { waitForLink } from '../support/mail.ts'
import { button, field, heading, passwordField } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { newEmail, password } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test.use({ locale: 'de-DE' })

test('[feature:translated] [shell:title] [call:headers] a German browser gets German from the form and the mail to the dashboard', async ({
  page,
}) => {
  const email = newEmail()
  await page.goto('/signup')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page).toHaveTitle('Konto erstellen · Plinth')
  await button(page, 'Konto erstellen').click()
  await expect(field(page, 'Vorname')).toHaveAccessibleDescription(/Vorname/)
  await field(page, 'Vorname').fill('Mara')
  await field(page, 'Nachname').fill('Okafor')
  await field(page, 'Geschäftliche E-Mail-Adresse').fill(email)
  await passwordField(page, 'Passwort').fill(password)
  await passwordField(page, 'Passwort bestätigen').fill(password)
  await button(page, 'Konto erstellen').click()
  await expect(heading(page, 'E-Mail-Adresse bestätigen')).toBeVisible()

  const { url, mail } = await waitForLink(email)
  expect(mail.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse')
  expect(mail.html).toContain('lang="de"')
  await page.goto(url)
  await button(page, 'Meine E-Mail-Adresse bestätigen').click()
  await expect(heading(page, 'Tarif wählen')).toBeVisible()
  await expect(page).toHaveTitle('Tarif wählen · Plinth')
  await page.getByRole('radio', { name: /^Kostenlos|^Free/ }).check()
  await page.getByRole('button', { name: /kostenlos/i }).click()
  await expect(heading(page, 'Willkommen, Mara')).toBeVisible()
  await page.goto('/welcome?page=2')
  await expect(heading(page, 'Laden Sie Ihr Team ein')).toBeVisible()
  await page.getByRole('main').press('Tab')
  await page.getByRole('button', { name: /Fertig|Abschließen/ }).click()
  await expectPath(page, '/dashboard')
  await expect(page.getByRole('region', { name: 'Diesen Monat' })).toBeVisible()
  await expect(page.getByRole('definition').first()).toHaveText(/\d\.\d{3}\s?\$/)
})

test('[feature:translated] [const:locale.fallback] the language chosen on the page is kept; an unsupported language gets English', async ({
  page,
  openOtherBrowser,
}) => {
  await page.goto('/login')
  await expect(heading(page, 'Anmelden')).toBeVisible()
  await button(page, 'English').click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  await page.reload()
  await expect(heading(page, 'Sign in')).toBeVisible()
  const french = await openOtherBrowser({ locale: 'fr-FR' })
  await french.goto('/login')
  await expect(heading(french, 'Sign in')).toBeVisible()
})
