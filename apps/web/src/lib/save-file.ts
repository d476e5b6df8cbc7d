/** Downloads a file that was fetched with the session's token, which a plain link would not send. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The download has started by then. Without this the Blob stays in memory while the page is open.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The local date as `YYYY-MM-DD`, for file names. */
export const today = () => new Date().toLocaleDateString('sv')
