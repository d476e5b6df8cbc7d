import { type ComponentType, use, useSyncExternalStore } from 'react'
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
  /** The same, and a failure stays until `tryViewsAgain`: drawing asks again and again, and would fetch without end. */
  show: () => Promise<ComponentType<P>>
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

  const ready = () => (component && hasTexts(language.get(), texts) ? component : null)
  function load() {
    const now = language.get()
    const known = loading.get(now)
    if (known) return known
    const there = ready()
    const promise = there ? settled(there) : marked(fetchBoth(now))
    loading.set(now, promise)
    return promise
  }
  let shown: { language: Language; tries: number; promise: Promise<ComponentType<P>> } | undefined
  return {
    ready,
    load,
    show() {
      const now = language.get()
      if (shown?.language !== now || shown.tries !== tries) shown = { language: now, tries, promise: load() }
      return shown.promise
    },
  }
}

let tries = 0
/** What could not be fetched may be asked for again: the visitor wants another try, or has gone elsewhere. */
export function tryViewsAgain(): void {
  tries++
}

/** A part that is on the first page anyway. */
export function present<P>(component: ComponentType<P>): View<P> {
  const promise = settled(component)
  return { ready: () => component, load: () => promise, show: () => promise }
}

/**
 * The view's component; suspends until it is there. It asks by `use` each time, also for what is ready: React knows
 * the promises of a component by their order, so one that is left out would lend its answer to the next.
 */
export function useView<P>(view: View<P>): ComponentType<P> {
  return use(view.show())
}

/**
 * Whether the view's code and texts are there. React asks again before it shows what it has drawn: they may have arrived
 * meanwhile, and the view does not suspend then.
 */
export const useIsReady = <P>(view: View<P>): boolean =>
  useSyncExternalStore(toldOfNothing, () => view.ready() !== null)

const toldOfNothing = () => () => undefined

/** The marks that React leaves on a promise it knows: with them `use` answers at once. */
const settled = <T>(value: T): Promise<T> =>
  Object.assign(Promise.resolve(value), { status: 'fulfilled', value })

function marked<T>(promise: Promise<T>): Promise<T> {
  promise.then(value => Object.assign(promise, { status: 'fulfilled', value })).catch(() => undefined)
  return promise
}
