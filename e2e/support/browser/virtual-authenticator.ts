import type { Page } from '@playwright/test'
import { devtoolsOf } from './devtools.ts'

/** A device that keeps passkeys, in the browser of this page, and a person who touches it. */
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
    /** How many passkeys it keeps. */
    async countPasskeys(): Promise<number> {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    /** The person deletes what it keeps. */
    async clearPasskeys(): Promise<void> {
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    },
    /** The finger fits, or does not. */
    async setUserVerified(isUserVerified: boolean): Promise<void> {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

/** A browser that makes no offer by itself: what signs in is the button. */
export async function disablePasskeyAutofill(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // An empty page has no such thing.
    if ('PublicKeyCredential' in window)
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}
