import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { checkBeforeRedirect } from './app/check-before-redirect.ts'
import { prefetchNow } from './app/prefetch.ts'
import { followScrolling } from './app/scroll-restoration.ts'
import { noteDocument } from './lib/document.ts'
import { startingLanguage, startLanguage } from './lib/i18n/language.ts'
import { takeLinkToken } from './lib/link-token.ts'
import { checkSession } from './lib/session/check.ts'
import { recheckSession } from './lib/session/recheck.ts'
import { followOtherTabs, session } from './lib/session/store.ts'
import { followStyle } from './lib/theme.ts'
import { tolerateTranslation } from './lib/translated-page.ts'

async function start(root: HTMLElement): Promise<void> {
  tolerateTranslation()
  noteDocument()
  takeLinkToken()
  startLanguage(startingLanguage(session.get()?.locale))
  followScrolling()
  followStyle()
  followOtherTabs(() => void checkSession())
  recheckSession()
  // Texts, frame and screen arrive together, so that the first paint is the screen itself.
  await prefetchNow()
  const checked = await checkBeforeRedirect()
  if (checked) await prefetchNow()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  if (!checked) await checkSession()
}

const root = document.getElementById('root')
if (root) void start(root)
