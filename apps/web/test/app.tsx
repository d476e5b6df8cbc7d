import type { SessionUser } from '@plinth/contract'
import { focusManager } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { App } from '../src/app/App.tsx'
import { backupBanner } from '../src/app/layouts/Banner.tsx'
import { layoutViews } from '../src/app/layouts/views.ts'
import { notFoundView, routes } from '../src/app/routes.ts'
import { queries } from '../src/lib/data/query.ts'
import { closeDialog } from '../src/lib/dialog.ts'
import { noteDocument } from '../src/lib/document.ts'
import { type Language, startLanguage } from '../src/lib/i18n/language.ts'
import { type Namespace, wantTexts } from '../src/lib/i18n/texts.ts'
import { keepSession, session } from '../src/lib/session/store.ts'
import { setDark } from '../src/lib/theme.ts'
import { dismiss } from '../src/ui/overlay/toast.ts'
import { fakeServer } from './server.ts'

/** Clears the state that a new browser would not have. */
export function freshBrowser(): void {
  session.set(null)
  localStorage.clear()
  sessionStorage.clear()
  queries.clear()
  listenToWindow()
  closeDialog()
  dismiss()
  setDark(false)
  localStorage.clear()
}

/**
 * Test files of one worker share modules but not the window, so add the focus listener to the current window.
 */
function listenToWindow(): void {
  focusManager.setEventListener(onFocus => {
    const listener = () => onFocus()
    window.addEventListener('visibilitychange', listener)
    return () => window.removeEventListener('visibilitychange', listener)
  })
}

/** Loads texts for tests that do not open a screen. */
export async function withTexts(
  language: Language = 'en',
  names: Namespace[] = ['global', 'auth', 'account'],
) {
  startLanguage(language)
  await wantTexts(language, names)
}

type Visit = { path: string; user?: (SessionUser & { token: string }) | null; language?: Language }

/** Opens the app at a path, with or without a session. The test prepares the fake server's answers. */
export async function visit({ path, user = null, language = 'en' }: Visit) {
  freshBrowser()
  const server = fakeServer()
  // Answers that the profile screen needs, and a browser that has opened the sign-in page before.
  server.answer('passkeys.list', { data: [] }).answer('social.identities', { data: [] })
  server.answer('sessions.list', { data: [] })
  localStorage.setItem('plinth.social', '[]')
  if (user) keepSession(user)
  startLanguage(language)
  await wantTexts(language, ['global'])
  // In tests, suspended components never resume inside act, so all views are loaded beforehand.
  const views = [
    ...routes.map(route => route.view),
    ...Object.values(layoutViews),
    notFoundView,
    backupBanner,
  ]
  await Promise.all(views.map(view => view?.load()))
  window.history.replaceState(null, '', path)
  noteDocument()
  return {
    server,
    keyboard: userEvent.setup(),
    /** Renders the app. Prepare the answers first. */
    open: () => render(<App />),
  }
}

export const address = () => window.location.pathname + window.location.search
