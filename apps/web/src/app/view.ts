import { type ComponentType, use, useSyncExternalStore } from 'react'
import { type Language, language } from '../lib/i18n/language.ts'
import { hasTexts, type Namespace, wantTexts } from '../lib/i18n/texts.ts'

// biome-ignore lint/complexity/noBannedTypes: a screen takes no props at all
type Nothing = {}

/** A lazily loaded part of the page: its code with its texts. */
export type View<P = Nothing> = {
  /** The component if its code and texts are loaded, or null. */
  ready: () => ComponentType<P> | null
  /** Loads code and texts. Returns the same promise per language; after a failure, a new one. */
  load: () => Promise<ComponentType<P>>
  /**
   * Like `load`, but keeps a failure until `tryViewsAgain`: otherwise each render would send a new request.
   */
  show: () => Promise<ComponentType<P>>
}

/** Code or texts failed to load: offline, or the page is older than the deployed build. */
export class LoadFailed extends Error {
  constructor(cause: unknown) {
    super('A part of the page could not be fetched', { cause })
    this.name = 'LoadFailed'
  }
}

/**
 * A lazy screen with the namespaces of its texts besides `global`: `view(() =>
 * import('../features/x/XScreen.tsx').then(m => m.XScreen), ['x'])`
 */
export function view<P = Nothing>(
  fetchComponent: () => Promise<ComponentType<P>>,
  texts: readonly Namespace[] = [],
): View<P> {
  let component: ComponentType<P> | null = null
  const loading = new Map<Language, Promise<ComponentType<P>>>()

  async function fetchBoth(now: Language): Promise<ComponentType<P>> {
    try {
      const [found] = await Promise.all([component ?? fetchComponent(), wantTexts(now, texts)])
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
    const readyComponent = ready()
    const promise = readyComponent ? fulfilled(readyComponent) : tracked(fetchBoth(now))
    loading.set(now, promise)
    return promise
  }
  let shown: { language: Language; tries: number; promise: Promise<ComponentType<P>> } | undefined
  return {
    ready,
    load,
    show() {
      const now = language.get()
      if (shown?.language !== now || shown.tries !== retryCount)
        shown = { language: now, tries: retryCount, promise: load() }
      return shown.promise
    },
  }
}

let retryCount = 0
/** Lets failed views load again, for a retry or after navigation. */
export function tryViewsAgain(): void {
  retryCount++
}

/** A view that is part of the first page. */
export function present<P>(component: ComponentType<P>): View<P> {
  const promise = fulfilled(component)
  return { ready: () => component, load: () => promise, show: () => promise }
}

/**
 * The view's component; suspends until it is loaded. Always calls `use`, even if it is loaded: React tracks
 * the promises of a component by their order.
 */
export function useView<P>(view: View<P>): ComponentType<P> {
  return use(view.show())
}

/**
 * Whether the view is loaded. Uses useSyncExternalStore, because the view can finish loading during a render:
 * React reads the value again before it commits.
 */
export const useIsReady = <P>(view: View<P>): boolean =>
  useSyncExternalStore(neverChanges, () => view.ready() !== null)

const neverChanges = () => () => undefined

/** Sets the fields in which React tracks a promise, so that `use` returns at once. */
const fulfilled = <T>(value: T): Promise<T> =>
  Object.assign(Promise.resolve(value), { status: 'fulfilled', value })

function tracked<T>(promise: Promise<T>): Promise<T> {
  promise.then(value => Object.assign(promise, { status: 'fulfilled', value })).catch(() => undefined)
  return promise
}
