import { createRoot } from 'react-dom/client'
import { startingLanguage, startLanguage } from '../../lib/i18n/language.ts'
import { loadTexts } from '../../lib/i18n/texts.ts'
import { Toasts } from '../Toasts.tsx'
import { SheetPage } from './Sheet.tsx'

// Open /dev/ui on the development server (plugins/dev-sheet.ts); the build never sees it.
async function start(root: HTMLElement): Promise<void> {
  const language = startingLanguage(undefined)
  startLanguage(language)
  await loadTexts(language)
  createRoot(root).render(
    <>
      <SheetPage />
      <Toasts texts={{ region: 'Notifications ({hotkey})', one: 'Notification', close: 'Close' }} />
    </>,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
