/** The value of a query parameter in the first link of a mail that has it; empty when no link has it. */
export const tokenInMail = ({ links }: { links: string[] }, name = 'token'): string =>
  links.map(link => new URL(link).searchParams.get(name)).find(secret => secret !== null) ?? ''
