let path = ''

/** Notes for which address the server has sent this document: its policy is that address's, wherever one goes from here. */
export function noteDocument(): void {
  path = window.location.pathname
}

export const documentPath = (): string => path

/** Asks the server for the document of the address in the bar. */
export const loadAnew = (): void => window.location.reload()
