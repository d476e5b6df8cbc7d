import { useState } from 'react'
import { language } from '../../lib/i18n/language.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useStore } from '../../lib/store.ts'
import { Palette } from '../../ui/overlay/Palette.tsx'
import { useActions } from './actions.ts'
import type { Command } from './command.ts'
import { matching } from './match.ts'
import { closePalette } from './open.ts'
import { usePlaces } from './places.ts'

/** Lists the screens and actions that the user may open, filtered by the query. */
export function Search() {
  const t = useT()
  const tag = useStore(language)
  const [query, setQuery] = useState('')
  const trimmed = query.trim()
  const groups = [
    { key: 'actions', label: t('palette.actions'), options: matching(useActions(), trimmed, tag) },
    { key: 'places', label: t('palette.places'), options: matching(usePlaces(), trimmed, tag) },
  ].filter(({ options }) => options.length > 0)
  const count = groups.reduce((sum, { options }) => sum + options.length, 0)

  function choose({ run }: Command): void {
    closePalette()
    run()
  }

  return (
    <Palette
      label={t('account.nav.search')}
      listLabel={t('palette.results')}
      closing={{ key: t('palette.key.escape'), label: t('palette.close') }}
      query={query}
      onQuery={setQuery}
      groups={groups}
      count={trimmed && t('palette.count', { count })}
      none={t('palette.none', { query: trimmed })}
      onChoose={choose}
      onClose={closePalette}
    />
  )
}
