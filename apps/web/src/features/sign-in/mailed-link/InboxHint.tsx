import { useSettings } from '../../../lib/api/settings.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { TextLink } from '../../../ui/base/Link.tsx'

/** Where to find the mail: in the sandbox's inbox while it catches all mail. */
export function InboxHint() {
  const t = useT()
  const inbox = useSettings()?.inbox_url
  return (
    <p className="t13 ink3">
      {inbox ? (
        <TextLink href={inbox} target="_blank" rel="noopener">
          {t('auth.verify.open_inbox')}
        </TextLink>
      ) : (
        t('auth.verify.spam')
      )}
    </p>
  )
}
