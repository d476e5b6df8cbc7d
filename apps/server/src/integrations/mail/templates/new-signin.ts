import type { Template } from '../content.ts'
import { greet, ours, type Say } from '../translate.ts'

type Device = { browser: string | null; system: string | null }
type Data = Device & { name: string; network: string | null; at: string; url: string; days: number }

/** Somebody signed in from a browser and a network that were never seen with this user. */
export const newSignin: Template<Data> = (data, say) => ({
  subject: say('new_signin.subject'),
  preheader: say('new_signin.preheader'),
  heading: say('new_signin.subject'),
  greeting: greet(say, data.name),
  body: [
    say('new_signin.body', { time: ours(data.at) }),
    deviceWords(say, data),
    ...(data.network ? [say('new_signin.network', { network: ours(data.network) })] : []),
    say('new_signin.was_you'),
  ],
  button: { label: say('new_signin.button'), url: data.url },
  expiry: say('layout.link_days', { count: data.days }),
  aside: say('new_signin.aside'),
  footer: say('new_signin.footer'),
})

function deviceWords(say: Say, { browser, system }: Device) {
  if (browser && system) return say('new_signin.device', { browser: ours(browser), system: ours(system) })
  const one = browser ?? system
  return one ? say('new_signin.device_alone', { device: ours(one) }) : say('new_signin.device_unknown')
}
