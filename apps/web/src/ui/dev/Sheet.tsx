import { Mark } from '../Mark.tsx'
import { SheetButtons } from './SheetButtons.tsx'
import { SheetCharts } from './SheetCharts.tsx'
import { SheetFloating } from './SheetFloating.tsx'
import { SheetForms } from './SheetForms.tsx'
import { SheetInputs } from './SheetInputs.tsx'
import { SheetLooks } from './SheetLooks.tsx'
import { SheetMarks } from './SheetMarks.tsx'
import { SheetAuth, SheetFrame, SheetLost, SheetOnboarding } from './SheetScreens.tsx'
import { SheetTable } from './SheetTable.tsx'
import '../panel.css'
import '../sheet.css'

const SCREENS: Record<string, () => React.ReactNode> = {
  auth: SheetAuth,
  app: SheetFrame,
  onboarding: SheetOnboarding,
  lost: SheetLost,
}

/** Every part in every state, /dev/ui; with ?screen= a frame or a full page instead. Development only. */
export function SheetPage() {
  const Screen = SCREENS[new URLSearchParams(location.search).get('screen') ?? '']
  if (Screen) return <Screen />
  return (
    <main className="sheet">
      <header className="row row-3 between">
        <div className="row row-3">
          <Mark size={32} />
          <div>
            <h1 className="t20 semi">Plinth components</h1>
            <p className="ink3">Every part in every state. Reads the same tokens as the screens.</p>
          </div>
        </div>
        <SheetLooks screens={Object.keys(SCREENS)} />
      </header>
      <div className="sheet__grid">
        <SheetButtons />
        <SheetForms />
        <SheetMarks />
        <SheetFloating />
        <SheetInputs />
        <SheetCharts />
        <SheetTable />
      </div>
    </main>
  )
}
