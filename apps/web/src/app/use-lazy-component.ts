import { type ComponentType, useEffect, useState } from 'react'

/** Loads a component when it is first needed. After a failure, loads it again the next time it is needed. */
export function useLazyComponent<P>(
  wanted: boolean,
  load: () => Promise<ComponentType<P>>,
  failed: (error: unknown) => void,
) {
  const [loaded, setLoaded] = useState<ComponentType<P> | null>(null)

  // An effect instead of React.lazy, which would keep a failure and pass it to the whole page.
  useEffect(() => {
    if (wanted && !loaded) load().then(component => setLoaded(() => component), failed)
  }, [wanted, loaded, load, failed])

  return wanted ? loaded : null
}
