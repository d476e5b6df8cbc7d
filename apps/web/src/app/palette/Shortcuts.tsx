import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { useStore } from '../../lib/store.ts'
import { Kbd } from '../../ui/base/Kbd.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { closePalette, isApple, setSingleKeys, singleKeys } from './open.ts'
import './shortcuts.css'

/** The keyboard shortcuts of every screen and of menus and lists. */
export function Shortcuts() {
  const t = useT()
  const single = useStore(singleKeys)
  return (
    <Dialog open onClose={closePalette} title={t('palette.shortcuts.title')} closeLabel={t('global.close')}>
      <Keys label={t('palette.shortcuts.everywhere')}>
        <Line does={t('account.nav.search')}>
          {isApple ? (
            <KeyCap draws="⌘K" says={t('palette.key.command_k')} />
          ) : (
            <>
              <KeyCap draws={t('palette.key.control')} />
              <KeyCap draws="K" />
            </>
          )}
        </Line>
        {single && (
          <Line does={t('palette.shortcuts.list')}>
            <KeyCap draws="?" says={t('palette.key.question_mark')} />
          </Line>
        )}
        <Line does={t('palette.shortcuts.close')}>
          <KeyCap draws={t('palette.key.escape')} />
        </Line>
      </Keys>
      <Keys label={t('palette.shortcuts.lists')}>
        <Line does={t('palette.shortcuts.move')}>
          <KeyCap draws="↑" says={t('palette.key.up')} />
          <KeyCap draws="↓" says={t('palette.key.down')} />
        </Line>
        <Line does={t('palette.shortcuts.ends')}>
          <KeyCap draws={t('palette.key.home')} />
          <KeyCap draws={t('palette.key.end')} />
        </Line>
        <Line does={t('palette.shortcuts.choose')}>
          <KeyCap draws={t('palette.key.enter')} />
        </Line>
      </Keys>
      <div className="shortcuts__switch">
        <div className="grow">
          <p className="med" id="single-keys">
            {t('palette.shortcuts.single')}
          </p>
          <p className="t13 ink3" id="single-keys-help">
            {t('palette.shortcuts.single_help')}
          </p>
        </div>
        <Switch
          aria-labelledby="single-keys"
          aria-describedby="single-keys-help"
          checked={single}
          onChange={setSingleKeys}
        />
      </div>
    </Dialog>
  )
}

function Keys({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <h3 className="t12 ink3">{label}</h3>
      <dl className="shortcuts">{children}</dl>
    </section>
  )
}

function Line({ does, children }: { does: string; children: ReactNode }) {
  return (
    <div className="shortcuts__line">
      <dt>{does}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The label printed on a key, and its name for screen readers if the label is a symbol. */
function KeyCap({ draws, says }: { draws: string; says?: string }) {
  if (!says) return <Kbd>{draws}</Kbd>
  return (
    <>
      <span aria-hidden="true">
        <Kbd>{draws}</Kbd>
      </span>
      <span className="sr">{says}</span>
    </>
  )
}
