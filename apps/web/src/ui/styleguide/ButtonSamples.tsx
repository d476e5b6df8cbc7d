import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { Fragment } from 'react'
import { Button } from '../base/Button.tsx'
import type { ButtonVariant } from '../base/button-class.ts'
import { Icon } from '../base/Icon.tsx'
import { Spec } from './Spec.tsx'

const KINDS: ReadonlyArray<[ButtonVariant, string, string]> = [
  ['primary', 'Primary', 'Save changes'],
  ['secondary', 'Secondary', 'Discard'],
  ['ghost', 'Ghost', 'Skip Intro'],
  ['danger', 'Danger', 'Delete user'],
  ['danger-quiet', 'Danger, quiet', 'Close account'],
]

const wait = () => new Promise<void>(done => setTimeout(done, 1500))

export function ButtonSamples() {
  return (
    <Spec title="Buttons">
      <div className="btn-grid">
        {KINDS.map(([variant, name, label]) => (
          <Fragment key={variant}>
            <span>{name}</span>
            <Button variant={variant} onClick={wait}>
              {label}
            </Button>
            <Button variant={variant} className="is-hover">
              Hover
            </Button>
            <Button variant={variant} className="is-focus">
              Focus
            </Button>
            <Button variant={variant} loading loadingLabel="Saving">
              Save
            </Button>
            <Button variant={variant} disabled>
              Disabled
            </Button>
          </Fragment>
        ))}
      </div>
      <hr className="rule" />
      <div className="row row-3">
        <Button size="sm">Small 28</Button>
        <Button>Default 36</Button>
        <Button size="lg">Large 40</Button>
        <Button variant="primary" icon={<Icon of={Plus} />}>
          With icon
        </Button>
        <Button square aria-label="Copy" icon={<Icon of={Copy} />} />
        <Button variant="ghost" square aria-label="More" icon={<Icon of={Ellipsis} />} />
      </div>
    </Spec>
  )
}
