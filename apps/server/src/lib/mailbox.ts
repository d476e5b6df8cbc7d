const google = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox behind an address, as far as the address tells: what follows a plus is a tag, and at Google dots say
 * nothing. For counting only: mails go to the address as it was typed.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const [local = ''] = email.slice(0, Math.max(at, 0)).split('+')
  if (google.has(domain)) return `${local.replaceAll('.', '')}@gmail.com`
  // An address that starts with a plus has no name before the tag.
  return local ? `${local}@${domain}` : email
}
