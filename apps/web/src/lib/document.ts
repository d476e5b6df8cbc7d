let path = ''

/**
 * Stores the path of the loaded document. Its Content Security Policy stays in force while the user navigates
 * in the app.
 */
export function noteDocument(): void {
  path = window.location.pathname
}

export const documentPath = (): string => path

export const loadAnew = (): void => window.location.reload()
