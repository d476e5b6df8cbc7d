/** A bar at the top edge while the next screen's code loads. */
export function PageProgress({ label }: { label: string }) {
  return <div className="page-progress" role="progressbar" aria-label={label} />
}
