import type { StripeCardElement } from '@stripe/stripe-js'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Control } from '../../../lib/form/types.ts'
import { language } from '../../../lib/i18n/language.ts'
import { useStore } from '../../../lib/store.ts'
import { dark } from '../../../lib/theme.ts'
import type { OpenCard } from './stripe.ts'
import { stripeStyle } from './stripe-style.ts'

/** Tells one state of a card from the next; what is typed is known to Stripe alone. */
let changes = 0

/** Stripe's card field inside `box`, for as long as the component is there. */
export function useStripeCard(box: RefObject<HTMLElement | null>, key: string, control: Control) {
  const [card, setCard] = useState<StripeCardElement | null>(null)
  const [failed, setFailed] = useState(false)
  const [focused, setFocused] = useState(false)
  const [tries, setTries] = useState(0)
  const isDark = useStore(dark)
  const now = useStore(language)
  const latest = useRef(control)
  latest.current = control

  // The field is a frame of Stripe's, outside React: opened, listened to and closed by hand.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try opens it anew
  useEffect(() => {
    let open: OpenCard | null = null
    let gone = false
    function show(made: OpenCard): void {
      if (gone || !box.current) {
        made.element.destroy()
        return
      }
      open = made
      const { element, adapter } = made
      element.on('change', ({ empty }) => latest.current.onChange(empty ? null : { change: ++changes }))
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
      .then(({ openCard }) => openCard(key, now))
      .then(show)
      .catch(error => {
        console.error(error)
        if (!gone) setFailed(true)
      })
    return () => {
      gone = true
      latest.current.onAdapter(null)
      open?.element.destroy()
      setCard(null)
    }
  }, [box, key, now, tries])

  useEffect(() => card?.update({ disabled: control.disabled }), [card, control.disabled])
  // Its colours were read when it was opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens follow the theme
  useEffect(() => card?.update({ style: stripeStyle() }), [card, isDark])

  return {
    card,
    failed,
    focused,
    again() {
      setFailed(false)
      setTries(tries + 1)
    },
  }
}
