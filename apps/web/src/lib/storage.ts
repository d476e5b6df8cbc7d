/**
 * Browser storage that may be switched off, full or forbidden: then the page works without it.
 * Keys carry the prefix `plinth.`; public/theme.js reads `plinth.theme` and `plinth.locale` before the first paint.
 */
type Area = 'localStorage' | 'sessionStorage'

function safely<T>(action: () => T, otherwise: T): T {
  try {
    return action()
  } catch {
    return otherwise // storage is a convenience; the page does not fail without it
  }
}

function area(name: Area) {
  return {
    read: (key: string) => safely(() => window[name].getItem(`plinth.${key}`), null),
    write: (key: string, value: string) =>
      safely(() => window[name].setItem(`plinth.${key}`, value), undefined),
    remove: (key: string) => safely(() => window[name].removeItem(`plinth.${key}`), undefined),
    /** Whether a key begins so. */
    has: (start: string) =>
      safely(() => Object.keys(window[name]).some(key => key.startsWith(`plinth.${start}`)), false),
    /** Forgets everything of ours. */
    clear: () =>
      safely(() => {
        for (const key of Object.keys(window[name])) {
          if (key.startsWith('plinth.')) window[name].removeItem(key)
        }
      }, undefined),
  }
}

/** Outlives the tab; shared by all tabs. */
export const device = area('localStorage')
/** Lives as long as the tab. */
export const tab = area('sessionStorage')

/** Where what is typed into a form is kept in the tab. */
export const draftKey = (name: string) => `draft.${name}`

/** Set in the tab once the dashboard has greeted; a new sign-in removes it. */
export const greetedKey = 'greeted'

export function parse(text: string | null): unknown {
  if (text === null) return null
  return safely((): unknown => JSON.parse(text), null)
}
