import { useSettings } from '../../../lib/api/settings.ts'
import type { TextKey } from '../../../lib/i18n/texts.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { TextLink } from '../../../ui/base/Link.tsx'

/** A sentence that ends in the support address; nothing until the settings are loaded. */
export function SupportLine({ text, className }: { text: TextKey; className?: string }) {
  const t = useT()
  const address = useSettings()?.support_email
  if (!address) return null
  return (
    <p className={className}>
      {t(text)}{' '}
      <TextLink className="wrap-anywhere" href={`mailto:${address}`}>
        {address}
      </TextLink>
    </p>
  )
}
