import { createRoot } from 'react-dom/client'
import { startingLanguage, startLanguage } from '../../lib/i18n/language.ts'
import { loadTexts } from '../../lib/i18n/texts.ts'
import { Toasts } from '../overlay/Toasts.tsx'
import { StyleguidePage } from './Styleguide.tsx'

// Served at /dev/ui by the development server (plugins/styleguide.ts); not part of the build.
async function start(root: HTMLElement): Promise<void> {
  const language = startingLanguage(undefined)
  startLanguage(language)
  await loadTexts(language)
  createRoot(root).render(
    <>
      <StyleguidePage />
      <Toasts texts={{ region: 'Notifications ({hotkey})', one: 'Notification', close: 'Close' }} />
    </>,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
