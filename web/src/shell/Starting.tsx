/** The outline that index.html shows until the first script has loaded, for as long as the page needs more; styled there. */
export function Starting() {
  return (
    <div className="starting" role="status" aria-label="Loading">
      <div className="starting-bar">Agent registry</div>
      <div className="starting-block" />
      <div className="starting-block" />
      <div className="starting-block" />
    </div>
  )
}
