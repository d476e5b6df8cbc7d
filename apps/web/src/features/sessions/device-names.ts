import type { Device } from '@plinth/contract'
import type { TextKey } from '../../lib/i18n/texts.ts'
import { useT } from '../../lib/i18n/translate.ts'

const methods: Record<string, TextKey> = {
  sign_up: 'account.devices.by.sign_up',
  password: 'account.devices.by.password',
  verification: 'account.devices.by.verification',
  invite: 'account.devices.by.invite',
  switch: 'account.devices.by.switch',
  magic: 'account.devices.by.magic',
  reset: 'account.devices.by.reset',
  social: 'account.devices.by.social',
  saml: 'account.devices.by.saml',
  passkey: 'account.devices.by.passkey',
  impersonation: 'account.devices.by.impersonation',
}

/** A sign-in method that this page does not know gets a general text. */
export const methodKey = (method: string): TextKey => methods[method] ?? 'account.devices.by.other'

/** "Firefox on macOS", or the part that is known. */
export function useDeviceName() {
  const t = useT()
  return ({ browser, system }: Pick<Device, 'browser' | 'system'>): string =>
    browser && system
      ? t('account.devices.name', { browser, system })
      : (browser ?? system ?? t('account.devices.unknown'))
}
