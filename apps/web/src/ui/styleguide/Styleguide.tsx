import { Logo } from '../base/Logo.tsx'
import { ButtonSamples } from './ButtonSamples.tsx'
import { ChartSamples } from './ChartSamples.tsx'
import { DisplaySamples } from './DisplaySamples.tsx'
import { FormSamples } from './FormSamples.tsx'
import { InputSamples } from './InputSamples.tsx'
import { LookSettings } from './LookSettings.tsx'
import { OverlaySamples } from './OverlaySamples.tsx'
import { AuthSample, NotFoundSample, OnboardingSample, ShellSample } from './ScreenSamples.tsx'
import { TableSamples } from './TableSamples.tsx'
import '../base/card.css'
import './styleguide.css'

const SCREENS: Record<string, () => React.ReactNode> = {
  auth: AuthSample,
  app: ShellSample,
  onboarding: OnboardingSample,
  lost: NotFoundSample,
}

/** The style guide at /dev/ui, in development only. With ?screen= it shows a full-page layout. */
export function StyleguidePage() {
  const Screen = SCREENS[new URLSearchParams(location.search).get('screen') ?? '']
  if (Screen) return <Screen />
  return (
    <main className="sheet">
      <header className="row row-3 between">
        <div className="row row-3">
          <Logo size={32} />
          <div>
            <h1 className="t20 semi">Plinth components</h1>
            <p className="ink3">Every part in every state. Reads the same tokens as the screens.</p>
          </div>
        </div>
        <LookSettings screens={Object.keys(SCREENS)} />
      </header>
      <div className="sheet__grid">
        <ButtonSamples />
        <FormSamples />
        <DisplaySamples />
        <OverlaySamples />
        <InputSamples />
        <ChartSamples />
        <TableSamples />
      </div>
    </main>
  )
}
