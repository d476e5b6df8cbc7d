import { useT } from '../lib/i18n/translate.ts'

/** The first Tab stop: skips the navigation. */
export function SkipLink() {
  const t = useT()
  return (
    <button
      type="button"
      className="skip btn btn--secondary"
      onClick={() => {
        const main = document.querySelector('main')
        if (!main) return
        main.tabIndex = -1
        main.focus()
      }}
    >
      {t('global.skip')}
    </button>
  )
}
