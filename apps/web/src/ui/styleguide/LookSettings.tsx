import { type Language, language, languages, setLanguage } from '../../lib/i18n/language.ts'
import { useStore } from '../../lib/store.ts'
import { dark, setDark } from '../../lib/theme.ts'
import { Button } from '../base/Button.tsx'
import { TextLink } from '../base/Link.tsx'

const turnRound = () => {
  document.documentElement.dir = document.documentElement.dir === 'rtl' ? 'ltr' : 'rtl'
}
const tags = Object.keys(languages) as Language[] // as: the keys of this object

/** Switches theme, direction and language, and links to the layouts. */
export function LookSettings({ screens }: { screens: readonly string[] }) {
  const isDark = useStore(dark)
  const now = useStore(language)
  return (
    <div className="row row-3">
      {screens.map(screen => (
        <TextLink key={screen} href={`?screen=${screen}`}>
          {screen}
        </TextLink>
      ))}
      <Button size="sm" aria-pressed={isDark} onClick={() => setDark(!isDark)}>
        Dark
      </Button>
      <Button size="sm" onClick={turnRound}>
        Right to left
      </Button>
      {tags.map(tag => (
        <Button key={tag} size="sm" aria-pressed={tag === now} onClick={() => void setLanguage(tag)}>
          {languages[tag]}
        </Button>
      ))}
    </div>
  )
}
