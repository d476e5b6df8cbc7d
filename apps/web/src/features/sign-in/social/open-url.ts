export function openUrl(url: string): void {
  window.location.assign(url)
}
