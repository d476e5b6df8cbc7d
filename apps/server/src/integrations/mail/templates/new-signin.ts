import type { Template } from '../content.ts'
import { greeting, type TranslateMail, trustedText } from '../translate.ts'

type Device = { browser: string | null; system: string | null }
type Data = Device & { name: string; network: string | null; at: string; url: string; days: number }

/** Sign-in from a browser and a network that are new for this user. */
export const newSignin: Template<Data> = (data, translate) => ({
  subject: translate('new_signin.subject'),
  preheader: translate('new_signin.preheader'),
  greeting: greeting(translate, data.name),
  body: [
    translate('new_signin.body', { time: trustedText(data.at) }),
    deviceWords(translate, data),
    ...(data.network ? [translate('new_signin.network', { network: trustedText(data.network) })] : []),
    translate('new_signin.was_you'),
  ],
  button: { label: translate('new_signin.button'), url: data.url },
  expiry: translate('layout.link_days', { count: data.days }),
  aside: translate('new_signin.aside'),
  footer: translate('new_signin.footer'),
})

function deviceWords(translate: TranslateMail, { browser, system }: Device) {
  if (browser && system)
    return translate('new_signin.device', { browser: trustedText(browser), system: trustedText(system) })
  const one = browser ?? system
  return one
    ? translate('new_signin.device_alone', { device: trustedText(one) })
    : translate('new_signin.device_unknown')
}
