import { parseEmail } from '@plinth/contract/email'

/** A sender as it is written, "Plinth <hello@example.com>" or the address alone; null when it is not one address. */
export function parseSender(from: string): { name: string; address: string } | null {
  const [, name = '', bracketed] = /^\s*(?:"?([^"<>,;\r\n]*?)"?\s*<([^<>\s]+)>)\s*$/.exec(from) ?? []
  const address = parseEmail(bracketed ?? from)
  return address ? { name: name.trim(), address } : null
}
