import type { ApiFailure } from '../api/apiFailure.ts'

/**
 * The outline that index.html shows until the first script has loaded, for as long as the page needs more; styled there.
 *
 * `failure` says why the service could not be asked yet who is signed in.
 */
export function Starting({ failure = null }: { failure?: ApiFailure | null }) {
  return (
    <div className="starting" role="status" aria-label={failure === null ? 'Loading' : undefined}>
      <div className="starting-bar">Agent registry</div>
      {failure !== null && (
        <p className="starting-note">
          {failure.code === 'RATE_LIMITED' ? failure.message : 'The service could not be reached.'} This page
          tries again by itself and continues as soon as the service responds.
        </p>
      )}
      <div className="starting-block" />
      <div className="starting-block" />
      <div className="starting-block" />
    </div>
  )
}
