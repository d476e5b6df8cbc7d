import type { StripeCardElement } from '@stripe/stripe-js'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Control } from '../../../lib/form/types.ts'
import { language } from '../../../lib/i18n/language.ts'
import { useStore } from '../../../lib/store.ts'
import { dark } from '../../../lib/theme.ts'
import type { OpenCard } from './stripe.ts'
import { stripeStyle } from './stripe-style.ts'

/** Gives each change a new value, since the content of the field is only known to Stripe. */
let changeCount = 0

/** Mounts Stripe's card field in `box` while the component is mounted. */
export function useStripeCard(box: RefObject<HTMLElement | null>, key: string, control: Control) {
  const [card, setCard] = useState<StripeCardElement | null>(null)
  const [failed, setFailed] = useState(false)
  const [focused, setFocused] = useState(false)
  const [tries, setTries] = useState(0)
  const isDark = useStore(dark)
  const currentLanguage = useStore(language)
  const latest = useRef(control)
  latest.current = control

  // The field is Stripe's frame, outside React, so this effect creates and destroys it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` triggers a retry
  useEffect(() => {
    let open: OpenCard | null = null
    let isUnmounted = false
    function mountCard(opened: OpenCard): void {
      if (isUnmounted || !box.current) {
        opened.element.destroy()
        return
      }
      open = opened
      const { element, adapter } = opened
      element.on('change', ({ empty }) => latest.current.onChange(empty ? null : { change: ++changeCount }))
      element.on('focus', () => setFocused(true))
      element.on('blur', () => {
        setFocused(false)
        latest.current.onBlur()
      })
      element.on('loaderror', () => setFailed(true))
      element.mount(box.current)
      latest.current.onAdapter(adapter)
      setCard(element)
    }
    import('./stripe.ts')
      .then(({ openCard }) => openCard(key, currentLanguage))
      .then(mountCard)
      .catch(error => {
        console.error(error)
        if (!isUnmounted) setFailed(true)
      })
    return () => {
      isUnmounted = true
      latest.current.onAdapter(null)
      open?.element.destroy()
      setCard(null)
    }
  }, [box, key, currentLanguage, tries])

  useEffect(() => card?.update({ disabled: control.disabled }), [card, control.disabled])
  // Stripe's frame does not follow the theme by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the design tokens depend on the theme
  useEffect(() => card?.update({ style: stripeStyle() }), [card, isDark])

  return {
    card,
    failed,
    focused,
    retry() {
      setFailed(false)
      setTries(tries + 1)
    },
  }
}
