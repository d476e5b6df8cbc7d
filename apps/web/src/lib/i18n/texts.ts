import type account from '../../locales/en/account.json'
import type api_keys from '../../locales/en/api_keys.json'
import type audit from '../../locales/en/audit.json'
import type auth from '../../locales/en/auth.json'
import type billing from '../../locales/en/billing.json'
import type dashboard from '../../locales/en/dashboard.json'
import type feedback from '../../locales/en/feedback.json'
import type global from '../../locales/en/global.json'
import type help from '../../locales/en/help.json'
import type links from '../../locales/en/links.json'
import type onboarding from '../../locales/en/onboarding.json'
import type palette from '../../locales/en/palette.json'
import type social from '../../locales/en/social.json'
import type sso from '../../locales/en/sso.json'
import type team from '../../locales/en/team.json'
import type two_factor from '../../locales/en/two_factor.json'

/**
 * Each namespace is a file per language, `locales/<language>/<name>.json`; a key starts with its namespace.
 * `global` is always loaded; a view lists the others it needs (see app/routes.ts). To add a namespace, add
 * its file in every language, its import above and a line here.
 */
type Namespaces = {
  global: typeof global
  audit: typeof audit
  auth: typeof auth
  account: typeof account
  api_keys: typeof api_keys
  billing: typeof billing
  dashboard: typeof dashboard
  feedback: typeof feedback
  help: typeof help
  links: typeof links
  onboarding: typeof onboarding
  palette: typeof palette
  social: typeof social
  sso: typeof sso
  team: typeof team
  two_factor: typeof two_factor
}
export type Namespace = keyof Namespaces

type Dotted<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Dotted<T[K]>}` }[keyof T &
  string]
type Plain<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K
/** Every key; plural keys without `_one` and `_other`. */
export type TextKey = Plain<Dotted<Namespaces>>

export type Texts = { [key: string]: string | Texts }

const files = import.meta.glob<Texts>('../../locales/*/*.json', { import: 'default' })
const loaded = new Map<string, Texts>()
const wanted = new Set<Namespace>(['global'])

/** Loads all requested namespaces in one language. */
export async function loadTexts(language: string): Promise<void> {
  await Promise.all([...wanted].map(name => loadOne(language, name)))
}

/** Requests more namespaces, for this and every other language. */
export async function wantTexts(language: string, names: readonly Namespace[]): Promise<void> {
  for (const name of names) wanted.add(name)
  await loadTexts(language)
}

export const hasTexts = (language: string, names: readonly Namespace[]) =>
  names.every(name => loaded.has(`${language}/${name}`))

async function loadOne(language: string, name: string): Promise<void> {
  const id = `${language}/${name}`
  if (loaded.has(id)) return
  const load = files[`../../locales/${id}.json`]
  if (!load) throw new Error(`There is no file for the texts ${id}`)
  loaded.set(id, await load())
}

/** The text of a key, or undefined if it is missing or its namespace is not loaded. */
export function textOf(language: string, key: string): string | undefined {
  const [name = '', ...rest] = key.split('.')
  let found: string | Texts | undefined = loaded.get(`${language}/${name}`)
  for (const part of rest) found = typeof found === 'object' ? found[part] : undefined
  return typeof found === 'string' ? found : undefined
}
