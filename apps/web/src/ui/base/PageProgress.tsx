/** A bar at the top of the page while the next screen loads. */
export function PageProgress({ label }: { label: string }) {
  return <div className="page-progress" role="progressbar" aria-label={label} />
}
