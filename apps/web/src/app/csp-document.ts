import { isCardPage } from '@plinth/contract/card-pages'
import { useSettings } from '../lib/api/settings.ts'
import { documentPath } from '../lib/document.ts'

/**
 * Whether a screen needs another document than this one. With real payment keys the provider's script is let in on the
 * screens that take a card and on no other (T-02); but the policy comes with the document, and a script that runs stays.
 * So the way in and the way out go by the server, steps back and forth included. The sandbox's cards need no such thing.
 */
export function useNeedsNewDocument(path: string): boolean {
  const crosses = isCardPage(path) !== isCardPage(documentPath())
  const settings = useSettings(crosses)
  return crosses && settings?.payments.sandbox_url === null
}
