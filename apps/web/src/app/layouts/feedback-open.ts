import { stageOf } from '@plinth/contract/access'
import { type Session, session } from '../../lib/session/store.ts'
import { createStore } from '../../lib/store.ts'

/** Whether the feedback panel is wanted: by its heart, or from elsewhere on the screen. */
export const feedbackOpen = createStore(false)

// Nothing of one person's is left open for the next.
session.subscribe(() => {
  if (!session.get()) feedbackOpen.set(false)
})

/** The server takes it from whoever is through the sign-up, and from nobody in another's name. */
export const mayGiveFeedback = (user: Session): boolean => stageOf(user) === 'active' && !user.support_until
