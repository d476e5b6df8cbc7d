import type { Page } from '@playwright/test'
import { devtoolsOf } from './devtools.ts'

/** Adds a passkey device to the browser of this page; it confirms each request by itself. */
export async function addVirtualAuthenticator(page: Page) {
  const devtools = await devtoolsOf(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async countPasskeys(): Promise<number> {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    async clearPasskeys(): Promise<void> {
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    },
    async setUserVerified(isUserVerified: boolean): Promise<void> {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

/** Disables passkey autofill, so that only the button signs in. */
export async function disablePasskeyAutofill(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // about:blank has no PublicKeyCredential.
    if ('PublicKeyCredential' in window)
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}
