import { stageOf } from '@plinth/contract/access'
import { type Session, session } from '../../lib/session/store.ts'
import { createStore } from '../../lib/store.ts'

/** Whether the feedback panel is open. */
export const feedbackOpen = createStore(false)

// Close it when the session ends.
session.subscribe(() => {
  if (!session.get()) feedbackOpen.set(false)
})

/** The server accepts feedback from users who have finished the sign-up, but not from support sessions. */
export const mayGiveFeedback = (user: Session): boolean => stageOf(user) === 'active' && !user.support_until
