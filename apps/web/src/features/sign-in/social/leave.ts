export function leaveFor(url: string): void {
  window.location.assign(url)
}
