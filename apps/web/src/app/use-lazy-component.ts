import { type ComponentType, useEffect, useState } from 'react'

/** A component that is fetched when it is first wanted, and tried again at the next wish when that failed. */
export function useLazyComponent<P>(
  wanted: boolean,
  load: () => Promise<ComponentType<P>>,
  failed: (error: unknown) => void,
) {
  const [late, setLate] = useState<ComponentType<P> | null>(null)

  // The network is outside React; React.lazy would keep a failure for ever and hand it to the whole page.
  useEffect(() => {
    if (wanted && !late) load().then(component => setLate(() => component), failed)
  }, [wanted, late, load, failed])

  return wanted ? late : null
}
