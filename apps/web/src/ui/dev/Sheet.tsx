import { Mark } from '../Mark.tsx'
import { SheetButtons } from './SheetButtons.tsx'
import { SheetCharts } from './SheetCharts.tsx'
import { SheetFloating } from './SheetFloating.tsx'
import { SheetForms } from './SheetForms.tsx'
import { SheetMarks } from './SheetMarks.tsx'
import { SheetApp, SheetAuth, SheetOnboarding } from './SheetScreens.tsx'
import { SheetTable } from './SheetTable.tsx'
import '../panel.css'
import '../sheet.css'

/** Every part in every state; ?screen=auth, app or onboarding shows a frame instead. Development only. */
export function SheetPage() {
  const screen = new URLSearchParams(location.search).get('screen')
  if (screen === 'auth') return <SheetAuth />
  if (screen === 'app') return <SheetApp />
  if (screen === 'onboarding') return <SheetOnboarding />
  return (
    <main className="sheet">
      <header className="row row-3">
        <Mark size={32} />
        <div>
          <h1 className="t20 semi">Plinth components</h1>
          <p className="ink3">Every part in every state. Reads the same tokens as the screens.</p>
        </div>
      </header>
      <div className="sheet__grid">
        <SheetButtons />
        <SheetForms />
        <SheetMarks />
        <SheetFloating />
        <SheetCharts />
        <SheetTable />
      </div>
    </main>
  )
}
