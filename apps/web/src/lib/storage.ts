/**
 * Browser storage. If it is disabled, full or blocked, the page works without it. Keys have the prefix
 * `plinth.`; public/theme.js reads `plinth.theme` and `plinth.locale` before the first paint.
 */
type Area = 'localStorage' | 'sessionStorage'

function safely<T>(action: () => T, otherwise: T): T {
  try {
    return action()
  } catch {
    return otherwise // the page works without storage
  }
}

function area(name: Area) {
  return {
    read: (key: string) => safely(() => window[name].getItem(`plinth.${key}`), null),
    write: (key: string, value: string) =>
      safely(() => window[name].setItem(`plinth.${key}`, value), undefined),
    remove: (key: string) => safely(() => window[name].removeItem(`plinth.${key}`), undefined),
    /** Whether a key has this prefix. */
    has: (start: string) =>
      safely(() => Object.keys(window[name]).some(key => key.startsWith(`plinth.${start}`)), false),
    /** Removes all keys of this site. */
    clear: () =>
      safely(() => {
        for (const key of Object.keys(window[name])) {
          if (key.startsWith('plinth.')) window[name].removeItem(key)
        }
      }, undefined),
  }
}

/** localStorage: shared by all tabs. */
export const device = area('localStorage')
/** sessionStorage: ends with the tab. */
export const tab = area('sessionStorage')

/** The storage key of a form's draft. */
export const draftKey = (name: string) => `draft.${name}`

/** Set after the dashboard showed its greeting; removed by a new sign-in. */
export const greetedKey = 'greeted'

export function parse(text: string | null): unknown {
  if (text === null) return null
  return safely((): unknown => JSON.parse(text), null)
}
