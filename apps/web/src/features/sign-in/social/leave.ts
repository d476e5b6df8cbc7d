/** Leaves the application for a page of somebody else's. */
export function leaveFor(url: string): void {
  window.location.assign(url)
}
