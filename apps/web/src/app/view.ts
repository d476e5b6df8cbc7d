import type { ComponentType } from 'react'
import { type Language, language } from '../lib/i18n/language.ts'
import { hasTexts, type Namespace, wantTexts } from '../lib/i18n/texts.ts'

// biome-ignore lint/complexity/noBannedTypes: a screen takes no props at all
type Nothing = {}

/** A part of the page that is fetched when it is needed: its code and its texts, together. */
export type View<P = Nothing> = {
  /** The component when its code and texts are there. */
  ready: () => ComponentType<P> | null
  /** The same promise for one language until it fails; a failed fetch is tried anew the next time. */
  load: () => Promise<ComponentType<P>>
}

/** Code or texts could not be fetched: the connection, or a page older than what is deployed. */
export class LoadFailed extends Error {
  constructor(cause: unknown) {
    super('A part of the page could not be fetched', { cause })
    this.name = 'LoadFailed'
  }
}

/**
 * `view(() => import('../features/x/XScreen.tsx').then(m => m.XScreen), ['x'])`: a lazy screen with the namespaces
 * of its texts (besides `global`).
 */
export function view<P = Nothing>(
  fetchIt: () => Promise<ComponentType<P>>,
  texts: readonly Namespace[] = [],
): View<P> {
  let component: ComponentType<P> | null = null
  const loading = new Map<Language, Promise<ComponentType<P>>>()

  async function fetchBoth(now: Language): Promise<ComponentType<P>> {
    try {
      const [found] = await Promise.all([component ?? fetchIt(), wantTexts(now, texts)])
      component = found
      return found
    } catch (cause) {
      loading.delete(now)
      throw new LoadFailed(cause)
    }
  }

  return {
    ready: () => (component && hasTexts(language.get(), texts) ? component : null),
    load() {
      const now = language.get()
      const promise = loading.get(now) ?? fetchBoth(now)
      loading.set(now, promise)
      return promise
    },
  }
}

/** A part that is on the first page anyway. */
export function present<P>(component: ComponentType<P>): View<P> {
  const promise = Promise.resolve(component)
  return { ready: () => component, load: () => promise }
}
