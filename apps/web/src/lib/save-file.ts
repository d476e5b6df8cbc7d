/** Gives the visitor a file that was fetched with the session, as a link of the server's would without one. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser has taken hold of it by then; left alone it would stay in memory as long as the page.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The day where the visitor is, as it sorts in a folder: 2026-11-21. */
export const today = () => new Date().toLocaleDateString('sv')
