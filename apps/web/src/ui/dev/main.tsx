import { createRoot } from 'react-dom/client'
import { Toasts } from '../Toasts.tsx'
import { SheetPage } from './Sheet.tsx'

// Open /src/ui/dev/index.html on the development server; the build never sees it.
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <>
      <SheetPage />
      <Toasts texts={{ region: 'Notifications ({hotkey})', one: 'Notification', close: 'Close' }} />
    </>,
  )
}
