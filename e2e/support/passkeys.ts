import type { Page } from '@playwright/test'
import { tab } from './tab.ts'

/** A device that keeps passkeys, in the browser of this page, and a person who touches it. */
export async function addAuthenticator(page: Page) {
  const devtools = await tab(page)
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
    async count(): Promise<number> {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    /** The person deletes what it keeps. */
    async forget(): Promise<void> {
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    },
    /** The finger fits, or does not. */
    async fits(isUserVerified: boolean): Promise<void> {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

/** A browser that makes no offer by itself: what signs in is the button. */
export async function withoutOffer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // An empty page has no such thing.
    if ('PublicKeyCredential' in window)
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}
