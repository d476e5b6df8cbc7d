import { isCardPage } from '@plinth/contract/card-pages'
import { useSettings } from '../lib/api/settings.ts'
import { documentPath } from '../lib/document.ts'

/**
 * Whether a screen needs another document than the loaded one. With real payment keys, the Content Security
 * Policy allows the provider's script only on screens with a card field. The policy belongs to the document
 * and a loaded script keeps running, so entering and leaving these screens reloads the page. The sandbox's
 * card fields need no script.
 */
export function useNeedsNewDocument(path: string): boolean {
  const crosses = isCardPage(path) !== isCardPage(documentPath())
  const settings = useSettings(crosses)
  return crosses && settings?.payments.sandbox_url === null
}
